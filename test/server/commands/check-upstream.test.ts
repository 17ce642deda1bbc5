import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { examineUpstream } from '../../../src/server/commands/check-upstream.ts';
import { findDialect } from '../../../src/server/commands/find-dialect.ts';
import { createOtherService, otherCredentials, otherUpstream } from '../../support/bff/other-service.ts';
import { createRestService, restDialect, restUpstream } from '../../support/bff/rest-service.ts';
import { deadUrl } from '../../support/server/faulty-service.ts';
import { openListener } from '../../support/server/http-listener.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { runDesk } from '../../support/server/in-process.ts';

const now = () => Date.parse('2026-01-01T00:00:00Z');
const openOther = (count = 30) => createOtherService({ count, now });

/** Examines the other service, with changes to what is configured or to what it answers. */
async function examine(
  {
    dialect,
    ...credentials
  }: { dialect?: object; clientSecret?: string; scopes?: { read: string; write: string } } = {},
  answer?: (request: Request, usual: Promise<Response>) => Response | Promise<Response>,
) {
  const other = openOther();
  const methods: string[] = [];
  const lines: string[] = [];
  const fetch = async (request: Request) => {
    if (!request.url.endsWith('/oauth/token')) methods.push(request.method);
    const usual = other.fetch(request);
    return answer ? answer(request, usual) : usual;
  };
  const upstream = { ...otherUpstream(fetch, dialect), ...credentials };
  const random = (bytes: number) => new Uint8Array(bytes);
  const well = await examineUpstream({ upstream, clock: now, random, say: (line) => void lines.push(line) });
  const secrets = [...other.customers.values()].flatMap((one) => [one.accessToken, one.username, one.email]);
  const leaks = ['canary', ...secrets].filter((secret) => lines.join('\n').includes(secret));
  return { well, lines, leaks, methods, faults: lines.filter((line) => !line.startsWith('Works: ')) };
}

describe('the check of a service elsewhere', () => {
  it('says that all works where all is configured well, and changes nothing', async () => {
    const { well, lines, leaks, methods } = await examine();
    expect(well).toBe(true);
    expect(lines).toEqual([
      'Works: a token for reading.',
      'Works: a token for reading and changing.',
      'Works: the statuses.',
      'Works: the list of subscribers, in pages.',
      'Works: a subscriber by its ID, with its lists.',
      'Works: a subscriber by its access token.',
      'Works: the filter by username.',
      'Works: the name of the status of a subscriber.',
      'Works: a 404 for a subscriber that does not exist.',
      'Works: a 404 for an unknown access token.',
    ]);
    expect(leaks).toEqual([]);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  it.each([
    ['the secret', { clientSecret: 'canary-wrong' }, 'It answered 401. Check UPSTREAM_CLIENT_ID'],
    ['the scope for changing', { scopes: { read: 'customers.look', write: 'x' } }, 'It answered 401.'],
    ['the path of the list', { dialect: { operations: {} } }, 'in UPSTREAM_DIALECT.'],
    ['the path of the record', { dialect: { record: '/Rec' } }, 'unexpected answer, at /Rec (the record)'],
    ['the path of the total', { dialect: { list: { items: '/Data', total: '/N' } } }, '/N (the total)'],
    [
      'the answer for a missing subscriber',
      { dialect: { missingIs422: false } },
      'Set missingIs422 in UPSTREAM_DIALECT.',
    ],
    ['an extension', { dialect: { extensions: ['IsTrial'] } }, 'Remove IsTrial from the extensions.'],
    ['an operation', { dialect: { extensions: ['getStatistics'] } }, 'the statistics. It answered 404.'],
    [
      'a range',
      { dialect: { extensions: ['ExpiresFrom', 'ExpiresTo'] } },
      'Remove ExpiresFrom from the extensions.',
    ],
  ])('says what to do where %s is wrong', async (_, change, sentence) => {
    const { well, faults, leaks } = await examine(change);
    expect(well).toBe(false);
    expect(faults.join('\n')).toContain(sentence);
    expect(leaks).toEqual([]);
  });

  const isPage = ({ url }: Request) => url.includes('/search');
  it.each([
    ['has no statuses', ({ url }: Request) => url.includes('/states'), { Data: [] }, 'It has no statuses.'],
    [
      'has a total below its page',
      isPage,
      { Data: [{}], Meta: { Total: 0 } },
      'unexpected answer, at items.0.id',
    ],
    ['answers with an error', isPage, null, 'It answered 500. Try again later'],
  ])('says what to do where the service %s', async (_, which, body, sentence) => {
    const { well, faults } = await examine({}, (request, usual) =>
      which(request) ? (body ? Response.json(body) : new Response('canary', { status: 500 })) : usual,
    );
    expect(well).toBe(false);
    expect(faults.join('\n')).toContain(sentence);
  });

  it.each([
    ['ECONNREFUSED', 'Nothing listens at this address.'],
    ['CERT_HAS_EXPIRED', '(CERT_HAS_EXPIRED). Check UPSTREAM_URL.'],
  ])('says what to do where the way there fails by %s', async (code, sentence) => {
    const { faults } = await examine({}, () => Promise.reject(Object.assign(new Error('canary'), { code })));
    expect(faults).toEqual([
      expect.stringContaining(sentence),
      'Without a token, nothing else can be checked.',
    ]);
  });
});

describe('npm run desk -- check-upstream', () => {
  const run = (env: Record<string, string>) => runDesk(env, 'check-upstream');
  const elsewhere = (url: string) => ({
    UPSTREAM_URL: url,
    UPSTREAM_CLIENT_ID: otherCredentials.clientId,
    UPSTREAM_CLIENT_SECRET: otherCredentials.clientSecret,
    UPSTREAM_SCOPE_READ: otherCredentials.scopes.read,
    UPSTREAM_SCOPE_WRITE: otherCredentials.scopes.write,
  });

  it('ends with 1 where not all works, and prints no secret', async () => {
    const { port } = await openListener(openOther(0).fetch);
    const url = `http://127.0.0.1:${port}`;
    const { code, stdout, stderr } = await run(elsewhere(url));
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(`Checking ${url}. Nothing is changed there.\nWorks: a token for reading.\n`);
    expect(stdout).not.toContain(otherCredentials.clientSecret);
    const dead = await run(elsewhere(await deadUrl()));
    expect([dead.code, dead.stdout]).toEqual([
      1,
      expect.stringContaining('Nothing listens at this address.'),
    ]);
  });

  it('writes the dialect that it finds, and checks with it', async () => {
    const service = createRestService({ count: 120 }, { include: 'repeat' });
    Object.assign(service.rows.get(1) ?? {}, { bundles: [3], countries: ['NO'] });
    const { port } = await openListener(service.fetch);
    const folder = temporaryFolder();
    const given = join(folder, 'given.json');
    const { scopes, audience } = restDialect.token;
    writeFileSync(given, JSON.stringify({ token: { scopes, audience } }));
    const env = {
      ...elsewhere(`http://127.0.0.1:${port}`),
      UPSTREAM_CLIENT_ID: 'desk there',
      UPSTREAM_CLIENT_SECRET: 's:cret',
      UPSTREAM_DIALECT: given,
    };
    const file = join(folder, 'found.json');
    const written = await runDesk(env, 'check-upstream', '--write-dialect', file);
    expect(written.stdout).toContain(`Wrote ${file}`);
    expect([written.code, written.stdout.match(/Does not work: .*/g)]).toEqual([0, null]);
    expect((await runDesk({ ...env, UPSTREAM_DIALECT: file }, 'check-upstream')).code).toBe(0);
    expect(await runDesk(env, 'check-upstream', '--write')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--write-dialect FILE'),
    });
  });

  it('says where there is nothing to check', async () => {
    const stderr = expect.stringMatching(/^Set UPSTREAM_URL /);
    expect(await run({})).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('the dialect that the check finds', () => {
  const random = (bytes: number) => new Uint8Array(bytes);

  it.each(['comma', 'repeat', 'single'] as const)(
    'is that of a service of another kind, which takes include by %s',
    async (include) => {
      const service = createRestService({ count: 250 }, { include });
      Object.assign(service.rows.get(1) ?? {}, { bundles: [3], countries: ['NO'] });
      // How scopes are separated and what the audience is, only its operator knows.
      const token = { scopes: 'commas', audience: 'subscribers' };
      const { dialect: _, ...upstream } = restUpstream(service.fetch);
      const found = await findDialect({
        upstream: { ...upstream, dialect: Dialect.parse({ token }) },
        clock: now,
        random,
      });
      const { record, list, statuses, maxPageSize } = restDialect;
      const learnt = {
        record,
        list,
        statuses,
        maxPageSize,
        include,
        token: { ...token, credentials: 'basic' },
      };
      expect(found).toMatchObject(learnt);
    },
  );

  it('is the given one where that fits', async () => {
    const other = createOtherService({ count: 300, now });
    const upstream = otherUpstream(other.fetch);
    expect(await findDialect({ upstream, clock: now, random })).toEqual(upstream.dialect);
  });
});
