import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, type HeaderChanges } from '../../support/bff/browser.ts';
import { everyRoute, type SampleRoute } from '../../support/bff/routes.ts';

const marks: Record<string, HeaderChanges> = {
  'no X-CSRF': { 'X-CSRF': null },
  'a wrong X-CSRF': { 'X-CSRF': '0' },
  'the right X-CSRF': {},
};

const foreign: Record<string, HeaderChanges> = {
  'from another site': { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://127.0.0.1:8080' },
  'from a sibling of the site': { 'Sec-Fetch-Site': 'same-site', Origin: 'http://127.0.0.1:8080' },
  'from nowhere': { 'Sec-Fetch-Site': 'none' },
  'from an origin of another name': { 'Sec-Fetch-Site': null, Origin: 'http://evil.test' },
  'from an origin at another port': { 'Sec-Fetch-Site': null, Origin: 'http://127.0.0.1:8081' },
  'from a page without an origin': { 'Sec-Fetch-Site': null, Origin: 'null' },
  'without a word of where from': { 'Sec-Fetch-Site': null },
};

interface Content {
  type: string | null;
  body?: string;
}

const contents: readonly Content[] = [
  { type: null },
  { type: 'application/json' },
  { type: 'application/x-www-form-urlencoded', body: 'name=manager' },
  { type: 'multipart/form-data; boundary=x', body: '--x--' },
  { type: 'text/plain' },
  { type: 'application/json-seq' },
];

let bff: TestDesk;
let cookie: string;

beforeAll(async () => {
  bff = await createTestDesk({ service: 'canned' });
  cookie = (await bff.signIn('manager')).cookie();
});

/** All that a request could have changed. */
async function stateOf({ db, upstream }: TestDesk): Promise<string> {
  const [sessions, staff, attempts, browsers, views, journal] = await Promise.all([
    db.selectFrom('sessions').selectAll().execute(),
    db.selectFrom('staff').selectAll().execute(),
    db.selectFrom('sign_in_attempts').selectAll().execute(),
    db.selectFrom('known_browsers').selectAll().execute(),
    db.selectFrom('views').selectAll().execute(),
    db.selectFrom('journal').selectAll().execute(),
  ]);
  return JSON.stringify({
    sessions,
    staff,
    attempts,
    browsers,
    views,
    journal,
    calls: upstream.calls,
    tokens: upstream.tokenCalls,
  });
}

/** The codes of the answers to a request sent with each kind of content, and whether anything came of it. */
async function outcomeOf(route: SampleRoute, headers: HeaderChanges, among: readonly Content[]) {
  const before = await stateOf(bff);
  const codes: string[] = [];
  for (const { type, body } of among) {
    const sent = type === null || route.method === 'GET' ? undefined : (body ?? route.body ?? '{}');
    const changes = { Cookie: cookie, ...(type !== null && { 'Content-Type': type }), ...headers };
    const response = await bff.fetch(ask(route.method, route.path, { body: sent, headers: changes }));
    codes.push(await codeIn(response));
  }
  return { codes: [...new Set(codes)], changed: (await stateOf(bff)) !== before };
}

const cases = Object.entries(marks).flatMap(([mark, first]) =>
  Object.entries(foreign).map(([origin, second]) => ({ mark, origin, headers: { ...first, ...second } })),
);

describe.each(everyRoute)('$name', (route) => {
  const unsafe = route.method !== 'GET';

  test.each(cases.filter(({ mark }) => unsafe || mark !== 'the right X-CSRF'))(
    'is refused with $mark, $origin, with any body, and changes nothing',
    async ({ headers }) => {
      const outcome = await outcomeOf(route, headers, contents);
      expect(outcome).toEqual({ codes: ['cross-site'], changed: false });
    },
  );

  test('takes no body but JSON from its own page either', async () => {
    const odd = contents.filter(({ type }) => type !== null && type !== 'application/json');
    expect(await outcomeOf(route, {}, odd)).toEqual({ codes: ['not-json'], changed: false });
  });

  test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'is let in from %s where the browser says no more than the origin',
    async (origin) => {
      const fresh = await createTestDesk({ service: 'canned' });
      const headers = {
        'Sec-Fetch-Site': null,
        Origin: origin,
        Cookie: (await fresh.signIn('manager')).cookie(),
      };
      const response = await fresh.fetch(ask(route.method, route.path, { body: route.body, headers }));
      // The handler may still refuse it, such as to pause what does not run.
      expect(response.ok || (await codeIn(response))).not.toBe('cross-site');
    },
  );
});
