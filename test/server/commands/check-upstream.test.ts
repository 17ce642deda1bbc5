import { createSecureServer } from 'node:http2';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examineUpstream } from '../../../src/server/commands/check-upstream.ts';
import { createOtherService, otherCredentials, otherUpstream } from '../../support/bff/other-service.ts';
import { createRestService, restDialect } from '../../support/bff/rest-service.ts';
import { listenOnFreePort } from '../../support/server/free-port.ts';
import { deadUrl } from '../../support/server/faulty-service.ts';
import { openListener } from '../../support/server/http-listener.ts';
import { trusted } from '../../support/server/self-signed.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { runDesk } from '../../support/server/in-process.ts';

const now = () => Date.parse('2026-01-01T00:00:00Z');
const openOther = (count = 30) => createOtherService({ count, now });

/** Another answer of the other service than its usual one. */
type Answer = (
  request: Request,
  usual: (changed?: Request) => Promise<Response>,
) => Response | Promise<Response>;

/** Examines the other service, with changes to what is configured or to what it answers. */
async function examine(
  {
    dialect,
    ...credentials
  }: { dialect?: object; clientSecret?: string; scopes?: { read: string; write: string } } = {},
  answer?: Answer,
  write = false,
) {
  const other = openOther();
  const methods: string[] = [];
  const lines: string[] = [];
  const fetch = async (request: Request) => {
    if (!request.url.endsWith('/oauth/token')) methods.push(request.method);
    const usual = (changed = request) => other.fetch(changed);
    return answer ? answer(request, usual) : usual();
  };
  const upstream = { ...otherUpstream(fetch, dialect), ...credentials };
  const random = (bytes: number) => new Uint8Array(bytes);
  const say = (line: string) => void lines.push(line);
  const well = await examineUpstream({ upstream, clock: now, random, say, write });
  const secrets = [...other.customers.values()].flatMap((one) => [one.accessToken, one.username, one.email]);
  const count = other.customers.size;
  const leaks = ['canary', ...secrets].filter((secret) => lines.join('\n').includes(secret));
  const [, ...rows] = lines;
  return { well, lines, leaks, methods, count, faults: rows.filter((line) => !line.includes('They can ')) };
}

describe('the check of a service elsewhere', () => {
  it('says that all works where all is configured well, and changes nothing', async () => {
    const { well, lines, leaks, methods } = await examine();
    expect(well).toBe(true);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['Tried', 'Came', 'For staff'],
      ['a token for reading', '200', 'They can see anything.'],
      ['a token for reading and changing', '200', 'They can change anything.'],
      ['the statuses', '200', 'They can see whom a status stops.'],
      ['the list of subscribers, in pages', '200', 'They can go through all subscribers.'],
      ['the largest page', '200', 'They can see everybody on large pages.'],
      ['the order by ID', '200', 'They can export subscribers, and change many at once.'],
      ['the expiries on a page', '200', 'They can see who expires when.'],
      ['a subscriber by its ID, with its lists', '200', 'They can open a subscriber.'],
      ['a subscriber by its access token', '200', 'They can find a subscriber by its token.'],
      ['the name of the status of a subscriber', '200', 'They can see the status of a subscriber.'],
      ['the version of a subscriber', '200', 'They can save what they change.'],
      ['the filter by username', '200', 'They can find subscribers by name.'],
      ['the filter by email', '200', 'They can find subscribers by email.'],
      ['the filter by status', '200', 'They can list subscribers by status.'],
      ['the filter by expired', '200', 'They can list who has expired.'],
      ['the orders by username and by expiry', '200', 'They can sort subscribers.'],
      ['a 404 for a subscriber that does not exist', '422', 'They can be told that a subscriber is gone.'],
      ['a 404 for an unknown access token', '422', 'They can be told that a token is unknown.'],
    ]);
    expect(leaks).toEqual([]);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  it.each([
    ['the secret', { clientSecret: 'canary-wrong' }, 'It answered 401. Check UPSTREAM_CLIENT_ID'],
    [
      'the way to ask for a token',
      { clientSecret: 'canary-wrong' },
      'it may need token in UPSTREAM_DIALECT.',
    ],
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
    ['several statuses', { dialect: { extensions: ['StatusIds'] } }, 'Remove StatusIds from the extensions.'],
    ['the lists of a list', { dialect: { extensions: ['include'] } }, 'Remove include from the extensions.'],
    [
      'an operation',
      { dialect: { extensions: ['getStatistics'] } },
      'the statistics                              404',
    ],
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
      'calls no status Active',
      ({ url }: Request) => url.includes('/states'),
      { Data: [{ Code: 10, Label: 'Enabled' }] },
      'Set statuses.active in UPSTREAM_DIALECT',
    ],
    [
      'has a total below its page',
      isPage,
      { Data: [{}], Meta: { Total: 0 } },
      'unexpected answer, at items.0.id',
    ],
    [
      'has an expiry that is no time',
      isPage,
      { Data: [{ ...openOther(1).customers.get(1), expiresAt: '01/02/2027' }], Meta: { Total: 1 } },
      "1 of 1 can't be read as a time.",
    ],
    ['answers with an error', isPage, null, 'It answered 500. Try again later'],
  ])('says what to do where the service %s', async (_, which, body, sentence) => {
    const { well, faults } = await examine({}, (request, usual) =>
      which(request) ? (body ? Response.json(body) : new Response('canary', { status: 500 })) : usual(),
    );
    expect(well).toBe(false);
    expect(faults.join('\n')).toContain(sentence);
  });

  it('says what to do where each answer has another ETag', async () => {
    let answers = 0;
    const tagged = async (_: Request, usual: () => Promise<Response>) => {
      const answer = await usual();
      answer.headers.set('ETag', `"${(answers += 1)}"`);
      return answer;
    };
    const { faults } = await examine({}, tagged);
    expect(faults).toEqual([expect.stringContaining('Set versions in UPSTREAM_DIALECT to false.')]);
    expect((await examine({ dialect: { versions: false } }, tagged)).well).toBe(true);
  });

  const without = (name: string) => (query: URLSearchParams) => query.delete(name);
  it.each([
    ['ignores Page', without('Page'), 'The second page of one is not the second subscriber.'],
    [
      'counts pages from 0',
      (query: URLSearchParams) => query.set('Page', String(Number(query.get('Page')) + 1)),
      'It must count Page from 1.',
    ],
    [
      'puts fewer on a page than it is asked for',
      (query: URLSearchParams) => query.set('PageSize', String(Math.min(10, Number(query.get('PageSize'))))),
      'A page of 200 has 10 of 30. Set maxPageSize in UPSTREAM_DIALECT to 10.',
    ],
    [
      'has the newest first',
      (query: URLSearchParams) => query.has('SortBy') || query.set('SortBy', 'expiresAt_desc'),
      'A list without SortBy is in another order.',
    ],
    ['ignores Username', without('Username'), "can't find subscribers by name. It also lists others"],
    ['ignores Email', without('Email'), "can't find subscribers by email. It also lists others"],
    ['ignores StatusId', without('StatusId'), "can't list subscribers by status. It also lists others"],
    ['ignores Expired', without('Expired'), "can't list who has expired. It also lists others"],
    ['ignores SortBy', without('SortBy'), 'It ignores SortBy, or one of its values.'],
  ])('says so where the list of the service %s', async (_, change, sentence) => {
    const { well, lines } = await examine({}, (request, usual) => {
      const url = new URL(request.url);
      if (url.pathname.endsWith('/search')) change(url.searchParams);
      return usual(new Request(url, request));
    });
    expect(well).toBe(false);
    expect(lines.join('\n')).toContain(sentence);
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

describe('the check with changes', () => {
  const rowsOf = ({ lines }: { lines: string[] }) => lines.slice(19).map((line) => line.split(/ {2,}/)[2]);

  it('makes one subscriber, changes it in every way, and deletes it', async () => {
    const done = await examine({}, undefined, true);
    expect(done).toMatchObject({ well: true, leaks: [], count: 30 });
    expect(rowsOf(done)).toEqual([
      'They can create subscribers.',
      'They can edit subscribers.',
      'They can keep the fields that they leave alone.',
      'They can end the access of an old token.',
      'They can delete subscribers.',
    ]);
  });

  it('says what the dialect lacks where an update resets what it leaves out', async () => {
    const { faults, count } = await examine({ dialect: { omittedFieldsAreReset: false } }, undefined, true);
    expect(faults).toEqual([
      expect.stringMatching(/can't keep .* Try omittedFieldsAreReset in UPSTREAM_DIALECT/),
    ]);
    expect(count).toBe(30);
  });

  const isTo = (method: string, path: string) => (request: Request) =>
    request.method === method && new URL(request.url).pathname.endsWith(path);
  const isCreation = isTo('POST', '/new');
  /** Examines the other service, which answers a creation like this. */
  const examineCreation = (answer: (usual: () => Promise<Response>) => Promise<Response>) =>
    examine({}, (request, usual) => (isCreation(request) ? answer(usual) : usual()), true);
  it.each([
    ['an edit', isTo('PATCH', '/31'), 30, /can't edit subscribers\. It answered 500/],
    ['a new token', isTo('PUT', '/of/31'), 30, /can't end the access/],
    ['the answer of a creation', isTo('POST', '/new'), 30, /can't create subscribers/],
    ['a deletion', isTo('POST', '/31/remove'), 31, /may be left there: deskcheck\w+, ID 31\. Delete it\.$/],
  ])('cleans up where %s fails, or says what is left', async (_, which, remaining, sentence) => {
    const { well, count, faults } = await examine(
      {},
      async (request, usual) => {
        if (!which(request)) return usual();
        if (isCreation(request)) await usual();
        return new Response('canary', { status: 500 });
      },
      true,
    );
    expect([well, count]).toEqual([false, remaining]);
    expect(faults.join('\n')).toMatch(sentence);
  });

  it.each([
    ['accepted with a 202', 202],
    ['given up by a gateway', 504],
  ])('says what may be left where the creation is %s, and may be made later', async (_, status) => {
    const { lines } = await examineCreation(async () => new Response(null, { status }));
    expect(lines.join('\n')).toMatch(/may be left there: deskcheck\w+\. Delete it\.$/);
  });

  it('says what is left, and deletes nobody, where the creation is answered with another username', async () => {
    const { count, lines } = await examineCreation(async (usual) => {
      const { Data }: { Data: object } = await (await usual()).json();
      return Response.json({ Data: { ...Data, username: 'tenant.deskcheck' } });
    });
    expect(count).toBe(31);
    expect(lines.join('\n')).toMatch(/may be left there: deskcheck\w+, ID 31\. Delete it\.$/);
  });

  it('changes nobody else where the creation is answered with another subscriber, and deletes its own', async () => {
    const { count, methods, faults } = await examineCreation(async (usual) => {
      await usual();
      return new Response(null, { status: 201, headers: { Location: '/v2/customers/id/31/versions/1' } });
    });
    expect(methods.filter((method) => ['PATCH', 'PUT'].includes(method))).toEqual([]);
    expect([count, faults.join('\n')]).toEqual([30, expect.stringContaining('answered with somebody else')]);
  });

  it('does not say that a deletion works where nothing could be created', async () => {
    const { faults } = await examineCreation(async () => new Response('canary', { status: 403 }));
    expect(faults).toEqual([
      expect.stringContaining("can't create subscribers"),
      expect.stringMatching(/^a deletion .* This was not tried, because there is no subscriber to delete\.$/),
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
    expect(stdout).toContain(`Checking ${url}. Nothing is changed there.\nTried `);
    expect(stdout).not.toContain(otherCredentials.clientSecret);
    const dead = await run(elsewhere(await deadUrl()));
    expect([dead.code, dead.stdout]).toEqual([
      1,
      expect.stringContaining('Nothing listens at this address.'),
    ]);
  });

  it('says which key is lacking where the service takes only HTTP/2 over TLS, and checks with it', async () => {
    const service = createSecureServer(await trusted(), (_, answer) => void answer.writeHead(401).end('{}'));
    const url = `https://127.0.0.1:${await listenOnFreePort(service)}`;
    onTestFinished(() => void service.close());
    const { stdout } = await run(elsewhere(url));
    expect(stdout).toContain('It takes only HTTP/2. Set http2 in UPSTREAM_DIALECT.');
    const file = join(temporaryFolder(), 'dialect.json');
    writeFileSync(file, JSON.stringify({ http2: true }));
    const reached = await run({ ...elsewhere(url), UPSTREAM_DIALECT: file });
    expect(reached.stdout).toContain('It answered 401. Check UPSTREAM_CLIENT_ID');
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
    expect([written.code, written.stdout.match(/can't.*/g)]).toEqual([0, null]);
    expect((await runDesk({ ...env, UPSTREAM_DIALECT: file }, 'check-upstream')).code).toBe(0);
    const inUtc = await runDesk({ ...env, UPSTREAM_DIALECT: file }, 'check-upstream', '--write');
    expect(inUtc.stdout).toContain('something else in expiresAt. Check timeZone in UPSTREAM_DIALECT.');
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), timeZone: 'Europe/Oslo' }),
    );
    const both = await runDesk({ ...env, UPSTREAM_DIALECT: file }, 'check-upstream', '--write');
    expect([both.code, both.stdout.match(/can't.*/g), service.rows.size]).toEqual([0, null, 120]);
    expect(await runDesk(env, 'check-upstream', '--rite')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--write-dialect FILE'),
    });
  });

  it.each([
    ['gives no token', { UPSTREAM_CLIENT_SECRET: 'wrong' }, 'Check UPSTREAM_CLIENT_ID'],
    ['has other paths for all', {}, 'and the paths in UPSTREAM_DIALECT'],
  ])('writes no dialect where the service %s, and says why', async (_, wrong, why) => {
    const { port } = await openListener(openOther(3).fetch);
    const file = join(temporaryFolder(), 'dialect.json');
    const env = { ...elsewhere(`http://127.0.0.1:${port}`), ...wrong };
    const check = () => runDesk(env, 'check-upstream', '--write', '--write-dialect', file);
    const { code, stdout } = await check();
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(stdout).toContain(`Did not write ${file}`);
    expect(stdout).toContain(why);
    writeFileSync(file, 'by hand');
    expect((await check()).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('by hand');
  });

  it('says where there is nothing to check', async () => {
    const stderr = expect.stringMatching(/^Set UPSTREAM_URL /);
    expect(await run({})).toEqual({ code: 1, stdout: '', stderr });
  });
});
