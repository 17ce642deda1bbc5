import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { BffDeps } from '../../bff/http/bff.ts';
import type { Log } from '../../lib/log.ts';
import { createCaller } from '../../bff/upstream/caller.ts';
import { Dialect } from '../../bff/upstream/dialect/shape.ts';
import type { UpstreamExchange } from '../../bff/upstream/exchange.ts';
import { badUpstream } from '../../bff/upstream/failures.ts';
import { Problem } from '../../contract/http/problem.ts';
import { CannotStart } from '../cannot-start.ts';
import { isLoopback } from '../http/client-address.ts';
import { connectUpstream } from '../http/outgoing.ts';
import { commandLines } from '../installation.ts';
import type { Command } from '../run-command.ts';
import { findDialect, keyOfNobody } from './find-dialect.ts';
import { clock, random } from '../runtime.ts';
import { listNames } from '../../contract/service/limits.ts';
import { odd, tryReads, type Ask, type Try } from './upstream-reads.ts';
import { tryWrites } from './upstream-writes.ts';
import { problems } from '../../contract/http/problem-codes.ts';

/** `npm run desk -- check-upstream`: checks the service in the configuration, and changes nothing there unless told to. */
export const checkUpstream: Command = async ({ config, options, say }) => {
  const { 'write-dialect': file, write } = readOptions(options);
  if (!config.upstream)
    throw new CannotStart(
      'Set UPSTREAM_URL and the variables that belong to it. Without them there is nothing to check: Subscriber Desk uses its embedded service.',
    );
  const { url } = config.upstream;
  const { protocol, hostname } = new URL(url);
  say(
    `Checking ${url}. ${write ? 'One made-up subscriber is created, changed and deleted there.' : 'Nothing is changed there.'}`,
  );
  if (protocol === 'http:' && !isLoopback(hostname))
    say(
      'Warning: with http://, others on the network can read the secret and all data. Use https:// if you can.',
    );
  const { upstream, close } = connectUpstream(config.upstream);
  try {
    if (file === undefined) return await examineUpstream({ upstream, clock, random, say, write });
    const dialect = await findDialect({ upstream, clock, random });
    if (!dialect) {
      say(`Did not write ${file}, because no answer shows how the service differs:`);
      return await examineUpstream({ upstream, clock, random, say });
    }
    await writeFile(file, `${writeDialect(dialect)}\n`);
    say(
      `Wrote ${file}, by what the service answers. Add the paths and methods that differ, and set UPSTREAM_DIALECT to it.`,
    );
    return await examineUpstream({ upstream: { ...upstream, dialect }, clock, random, say, write });
  } finally {
    await close();
  }
};

/** @throws {CannotStart} for other options */
function readOptions(options: readonly string[]) {
  try {
    return parseArgs({
      args: [...options],
      options: { 'write-dialect': { type: 'string' }, write: { type: 'boolean', default: false } },
    }).values;
  } catch {
    throw new CannotStart(
      `Give no option, or these: ${commandLines.desk} check-upstream --write --write-dialect FILE.`,
    );
  }
}

/** Writes the differences from the contract, as the file of UPSTREAM_DIALECT has them. */
function writeDialect(dialect: Dialect): string {
  const usual: Readonly<Record<string, unknown>> = Dialect.parse({});
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(usual[name]);
  return JSON.stringify(Object.fromEntries(Object.entries(dialect).filter(differs)), null, 2);
}

interface Examined extends Pick<BffDeps, 'upstream' | 'clock' | 'random'> {
  say: (sentence: string) => void;
  /** True if changes are tried as well, with a made-up subscriber. */
  write?: boolean;
}

/**
 * Checks what the BFF needs from a service: tokens, then every read. Prints a table of what works and what does not,
 * without any secret, name or token.
 *
 * @returns whether everything works
 */
export async function examineUpstream({ upstream, clock, random, say, write }: Examined): Promise<boolean> {
  const latest: LatestExchange = {};
  const log: Log = (_, __, fields) => {
    if (typeof fields?.['reason'] === 'string') latest.reason = fields['reason'];
  };
  const watched: UpstreamExchange = async (request) => {
    const answer = await upstream.exchange(request);
    Object.assign(latest, { status: answer.status, forToken: !('Authorization' in request.headers) });
    return answer;
  };
  const caller = createCaller({
    upstream: { ...upstream, exchange: watched },
    clock,
    random,
    journalKey: keyOfNobody({ random }),
    log,
  });
  const ask: Ask = async (operation, input, role = 'viewer') =>
    (await caller.call(operation, input, { role, requestId: 'check-upstream' })).data;

  let allWork = true;
  say(row('Tried', 'Came', 'For staff'));
  const tryOne: Try = async (what, can, work) => {
    Object.assign(latest, { status: undefined, reason: undefined });
    try {
      await work();
      say(row(what, `${latest.status}`, `They can ${can}.`));
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      allWork = false;
      say(
        row(
          what,
          `${latest.reason ?? latest.status ?? ''}`,
          `They can't ${can}. ${reasonFor(error, latest)}`,
        ),
      );
      return false;
    }
  };

  if (!(await tryOne('a token for reading', 'see anything', () => caller.checkToken()))) {
    say('Without a token, nothing else can be checked.');
    return false;
  }
  await tryOne('a token for reading and changing', 'change anything', () =>
    ask('listStatuses', {}, 'support'),
  );
  const askVersion = async (id: number) => {
    const input = { params: { id }, query: { include: [...listNames] } };
    return (await caller.call('getSubscriber', input, { role: 'viewer', requestId: 'check-upstream' })).etag;
  };
  await tryReads({ ask, askVersion }, tryOne, upstream.extensions, clock());
  const { listBundles } = caller;
  if (listBundles)
    await tryOne('the names of bundles', 'see bundles by name', async () => {
      const bundles = await listBundles({ role: 'viewer', requestId: 'check-upstream' });
      if (bundles.length === 0) throw odd('It names none. Check bundles in UPSTREAM_DIALECT.');
    });
  const leftover = write ? await tryWrites(ask, tryOne, random) : null;
  if (leftover !== null) say(leftover);
  if (!allWork) await suggest({ upstream, clock, random, say });
  return allWork;
}

const row = (what: string, came: string, meaning: string) =>
  `${what.padEnd(42)}  ${came.padEnd(12)}  ${meaning}`.trimEnd();

/** Says which dialect fits the answers better, if one does. */
async function suggest({ say, ...deps }: Examined): Promise<void> {
  const found = await findDialect(deps);
  const given = writeDialect(deps.upstream.dialect ?? Dialect.parse({}));
  if (!found || writeDialect(found) === given) return;
  say(`Its answers fit this dialect better, which --write-dialect FILE writes:\n${writeDialect(found)}`);
}

/** The latest exchange with the service. */
interface LatestExchange {
  status?: number | undefined;
  /** True if it requested a token. */
  forToken?: boolean;
  /** A code such as `ECONNREFUSED`; never text from the service. */
  reason?: string | undefined;
}

/** Why a check failed and what to do about it, for the operator. */
function reasonFor(refusal: Problem, { status = 0, forToken = false, reason }: LatestExchange): string {
  if (reason !== undefined)
    return reasons[reason] ?? `${problems[refusal.code][1]} (${reason}). Check UPSTREAM_URL.`;
  if (status === 202)
    return 'It answered 202, so it does this later. Staff wait half a minute for the outcome.';
  // The status was a success, so the refusal itself says what was wrong with the answer.
  if (status < 300 || status === 422)
    return refusal.message === badUpstream().message
      ? 'Its answer cannot be used. Check UPSTREAM_URL and UPSTREAM_DIALECT.'
      : refusal.message;
  return `It answered ${status}. ${hintFor(status, forToken)}`;
}

function hintFor(status: number, forToken: boolean): string {
  if (status === 401 && forToken)
    return 'Check UPSTREAM_CLIENT_ID and UPSTREAM_CLIENT_SECRET. If they are right, it may need token in UPSTREAM_DIALECT.';
  if (status === 400 && forToken) return 'Check UPSTREAM_SCOPE_READ and UPSTREAM_SCOPE_WRITE.';
  if (status === 401 || status === 403)
    return 'It refused the token that it issued. Check UPSTREAM_SCOPE_READ and UPSTREAM_SCOPE_WRITE.';
  if (status === 404 || status === 405) return 'Check UPSTREAM_URL, and the paths in UPSTREAM_DIALECT.';
  if (status >= 300 && status < 400)
    return 'Redirects are not followed. Set UPSTREAM_URL to the address that it redirects to.';
  return status >= 500 || status === 429
    ? 'Try again later, or ask the people who run the service.'
    : 'Check UPSTREAM_DIALECT.';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at this address. Check the host and the port in UPSTREAM_URL.',
  ENOTFOUND: 'There is no host with this name. Check UPSTREAM_URL.',
  EAI_AGAIN: 'The name of the host cannot be looked up right now. Check UPSTREAM_URL and the network.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out. Check UPSTREAM_URL and the firewall.',
  NOT_HTTP:
    'The answer is not HTTP/1.1. Check the port, and https:// or http://, in UPSTREAM_URL. If it takes only HTTP/2, set http2 in UPSTREAM_DIALECT.',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'It takes only HTTP/2. Set http2 in UPSTREAM_DIALECT.',
};
