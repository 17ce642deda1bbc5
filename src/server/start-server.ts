import { createHmac, hash } from 'node:crypto';
import { toBase64url } from '../lib/crypto.ts';
import { createBff, type BffDeps } from '../bff/http/bff.ts';
import { makeOneTimePassword } from '../bff/auth/one-time-password.ts';
import { readLimitsOf } from '../bff/http/read-limits.ts';
import { addStaff, hasStaff } from '../bff/staff/store.ts';
import { createMac, findKeyFault, JournalKeyError, type Mac } from '../bff/journal/chain.ts';
import { createRecordEvent, terminal } from '../bff/journal/events.ts';
import { useExternalKey } from '../bff/journal/external-key.ts';
import { readHeadRow } from '../bff/journal/verify.ts';
import { nameSampleBundles } from '../bff/bundles/bundles.ts';
import { lockRow } from '../bff/lock-row.ts';
import { bffMigrations } from '../bff/migrations.ts';
import { findOrCreateSecret } from '../bff/auth/secrets.ts';
import type { BffTables } from '../bff/schema.ts';
import { CannotStart } from './cannot-start.ts';
import { firstAccountName } from './config/variables.ts';
import { oneTimePasswordHours } from '../contract/bff/password.ts';
import type { CommandContext } from './run-command.ts';
import { embedService, fillEmbeddedService } from './embedded-service.ts';
import { connectUpstream, createOutgoingFetch } from './http/outgoing.ts';
import { commandLines, root } from './installation.ts';
import { openForServing } from './open-database.ts';
import { createPasswords } from './passwords.ts';
import type { Fetch } from './http/request-listener.ts';
import { openServiceStore } from './service/store.ts';
import { openTraces, type Traces } from './traces.ts';
import { buildDashboard } from './build/build.ts';
import { addressOf, publicUrlAt, type Config } from './config/config.ts';
import { listen } from './http/listen.ts';
import { clock, random } from './runtime.ts';
import { createPages } from './http/static-files.ts';

/**
 * Starts the dashboard, the BFF and the service on one port.
 *
 * @throws {CannotStart} if the port, the build or a database cannot be used
 */
export async function startServer({ config, log, say, sayApart }: CommandContext) {
  const listening = await listen({ ...addressOf(config), log });
  const publicUrl = publicUrlAt(config, listening.port);

  const pages = await createPages(await buildDashboard({ root, mode: 'app', say }));
  const server = await assembleServer({
    config,
    publicUrl,
    pages,
    log,
    clock,
    random,
    isStopping: listening.isStopping,
    sayApart,
  });
  listening.serve(server.fetch);
  sayWelcome(say, publicUrl, server);
  return {
    url: publicUrl,
    stop: async () => {
      await listening.close();
      await server.close();
    },
  };
}

interface Parts extends Pick<BffDeps, 'clock' | 'random' | 'log' | 'pages' | 'isStopping'> {
  config: Config;
  publicUrl: string;
  /** Prints the password of an account that this start creates. */
  sayApart?: CommandContext['sayApart'];
}

type Traced = Parts & { traces: Traces };

interface AssembledServer {
  fetch: Fetch;
  /** The account that this start created; its password if it was generated. */
  firstAccount: { name: string; oneTimePassword: string | null } | null;
  close: () => Promise<void>;
}

/**
 * Assembles the BFF and the service behind it: in the same process, or elsewhere over HTTP. Each has its tables in a
 * SQLite file in `DATA_DIR`, or in PostgreSQL.
 *
 * @throws {CannotStart} if a database cannot be used
 */
export async function assembleServer(given: Parts): Promise<AssembledServer> {
  const metrics = await openMetrics(given.config);
  const log = metrics?.figures.counted(given.log) ?? given.log;
  const { config, publicUrl, clock, random, pages } = given;
  const traces = await openTraces(config, { service: 'subscriber-desk', url: publicUrl, log });
  const parts = { ...given, log, traces };
  const database = await openBffDatabase(parts);
  const { db, runSlowRead, passwords, secrets, firstAccount } = database;
  // At once: the account is there, also where what follows fails, and no later start prints a password.
  if (firstAccount && given.sayApart) sayOneTimePassword(given.sayApart, firstAccount);
  const service = config.upstream
    ? { ...connectUpstream(config.upstream), canWrite: async () => true, hasNewSamples: false }
    : await openService(parts, secrets.client);
  // Else the numbers may be those of real bundles.
  if (service.hasNewSamples) await nameSampleBundles(db);
  const outgoing = createOutgoingFetch();
  const bff = createBff({
    db,
    runSlowRead,
    clock,
    random,
    passwords: traces.passwords(passwords),
    sha256: (text) => hash('sha256', text, 'base64url'),
    createHmac: (key) => (text) =>
      createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url'),
    journalKey: secrets.journal,
    secondFactorKey: secrets.secondFactors,
    externalKey: config.JOURNAL_KEY ?? null,
    journalDays: config.JOURNAL_DAYS,
    upstream: traces.upstream(service.upstream),
    runTraced: traces.run,
    transport: { kind: 'http', publicUrl },
    ...(config.openId && {
      singleSignOn: { ...config.openId, tokenKey: secrets.refreshTokens, fetch: outgoing.fetch },
    }),
    pages,
    canWrite: async () => (await database.canWrite()) && (await service.canWrite()),
    isClockWrong: database.isClockWrong,
    ...(parts.isStopping && { isStopping: parts.isStopping }),
    log: traces.described(log),
    ...(metrics && { metrics }),
    ...(config.STATUS_HELP !== undefined && { statusHelp: config.STATUS_HELP }),
    trialDays: config.TRIAL_DAYS,
    ...(config.REQUIRE_SECOND_FACTOR !== undefined && { requireSecondFactor: config.REQUIRE_SECOND_FACTOR }),
    ...(config.PLAYLIST_URL_TEMPLATE !== undefined && { playlistUrlTemplate: config.PLAYLIST_URL_TEMPLATE }),
    ...(config.READS_PER_SECOND > 0 && { accountLimits: readLimitsOf(config.READS_PER_SECOND) }),
  });
  const maintenance = setInterval(() => void bff.runMaintenance(), maintenanceInterval);
  void bff.runMaintenance();
  return {
    fetch: (request, from) =>
      traces.serve(request, from.traceContext, (traceContext) =>
        bff.fetch(request, { ...from, traceContext }),
      ),
    firstAccount,
    close: async () => {
      clearInterval(maintenance);
      await bff.stop();
      await database.close();
      await service.close();
      await outgoing.close();
      await traces.close();
    },
  };
}

/** In ms. */
const maintenanceInterval = 60_000;

/** Loads the library only if metrics are configured: it costs a start about 50 ms of processor time. */
async function openMetrics({ METRICS_TOKEN: token }: Config) {
  if (token === undefined) return undefined;
  const { createBffMetrics } = await import('./metrics.ts');
  return { token, figures: createBffMetrics() };
}

/** Opens the BFF's tables, and adds the first account and the secrets that all replicas share. */
async function openBffDatabase(parts: Traced) {
  const { config, clock, random, log } = parts;
  const passwords = createPasswords(random);
  const secrets = { client: '', journal: '', refreshTokens: '', secondFactors: '' };
  let firstAccount: AssembledServer['firstAccount'] = null;
  let keyLink: number | null = null;
  let mac: Mac | null = null;
  const opened = await openForServing<BffTables>(parts, {
    name: 'desk',
    migrations: bffMigrations,
    fill: async (transaction) => {
      const generate = () => toBase64url(random(32));
      secrets.client = await findOrCreateSecret(transaction, 'client-secret', generate);
      secrets.journal = await findOrCreateSecret(transaction, 'journal-key', generate);
      secrets.refreshTokens = await findOrCreateSecret(transaction, 'refresh-token-key', generate);
      secrets.secondFactors = await findOrCreateSecret(transaction, 'second-factor-key', generate);
      mac = createMac(secrets.journal, config.JOURNAL_KEY ?? null);
      keyLink = await useExternalKey(transaction, mac).catch((error: unknown) => {
        throw error instanceof JournalKeyError ? new CannotStart(error.message) : error;
      });
      const isFirst = !(await hasStaff(transaction));
      firstAccount = !isFirst
        ? null
        : await addManager({ db: transaction, passwords, random, clock, mac }, config);
    },
    write: async (db) => {
      await lockRow(db, 'secrets', { name: 'client-secret' });
      // Another server may have been started with a key since, without which no change can be recorded.
      const fault = mac && (await findKeyFault(await readHeadRow(db), mac));
      if (fault !== null) throw new JournalKeyError(fault);
    },
  });
  if (keyLink !== null) log('warn', 'journal-key-used', { seq: keyLink });
  return { ...opened, passwords, secrets, firstAccount };
}

const yieldToOthers = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Opens the embedded service, with its own tables. */
async function openService(parts: Traced, clientSecret: string) {
  const { config, clock, random, log } = parts;
  let hasNewSamples = false;
  const { db, runSlowRead, canWrite, close } = await openServiceStore(parts, async (alone) => {
    const given = { clientSecret, samples: config.SAMPLE_SUBSCRIBERS, now: clock() };
    hasNewSamples = await fillEmbeddedService(alone, given);
  });
  const deps = { db, runSlowRead, clock, random, log: asService(log) };
  return { upstream: embedService(deps, clientSecret, yieldToOthers), canWrite, hasNewSamples, close };
}

/** Marks the embedded service's lines: it writes to the same log as the BFF. */
function asService(log: BffDeps['log']): BffDeps['log'] {
  return (level, event, fields) => log(level, event, { part: 'service', ...fields });
}

async function addManager(
  deps: Parameters<typeof addStaff>[0] & { mac: Mac },
  { MANAGER_PASSWORD: password }: Config,
) {
  const account = { name: firstAccountName, role: 'manager' } as const;
  const recordEvent = createRecordEvent(deps);
  const record: Parameters<typeof addStaff>[2] = (tx, { id, name }) => {
    const details = { role: { before: null, after: account.role } };
    return recordEvent(tx, { operation: 'addStaff', ...terminal, account: { id, name }, details });
  };
  if (password !== undefined) {
    await addStaff(deps, { ...account, password }, record);
    return { name: firstAccountName, oneTimePassword: null };
  }
  const oneTimePassword = makeOneTimePassword(deps.random);
  await addStaff(deps, { ...account, password: oneTimePassword, oneTime: true }, record);
  return { name: firstAccountName, oneTimePassword };
}

function sayOneTimePassword(
  sayApart: CommandContext['sayApart'],
  { name, oneTimePassword }: NonNullable<AssembledServer['firstAccount']>,
): void {
  if (oneTimePassword === null) return;
  sayApart(`Sign in as ${name} with the one-time password ${oneTimePassword}`);
  sayApart(
    `The password is shown only once. It works once, within ${oneTimePasswordHours} hours. Choose your own right after signing in.`,
  );
  sayApart(`If it is lost: ${commandLines.desk} reset-password ${name}`);
}

/** Prints what a person needs to begin: the address, and whose password is in the configuration. */
export function sayWelcome(
  say: CommandContext['say'],
  publicUrl: string,
  { firstAccount: account }: AssembledServer,
): void {
  say(`Subscriber Desk is running at ${publicUrl}`);
  if (account?.oneTimePassword === null)
    say(`Sign in as ${account.name} with the password from MANAGER_PASSWORD.`);
  if (process.stdout.isTTY) say('Press Ctrl-C to stop.');
}
