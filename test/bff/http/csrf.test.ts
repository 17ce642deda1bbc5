import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, type HeaderChanges } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';

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
async function stateOf({ rows, upstream }: TestDesk) {
  const tables = ['sessions', 'staff', 'attempts', 'known_browsers', 'views', 'journal'] as const;
  const [calls, tokens] = [upstream.calls.length, upstream.tokenCalls.length];
  return { calls, tokens, stored: await Promise.all(tables.map((table) => rows(table))) };
}

/** Sends a manager's request to each of the routes with each kind of content; returns the codes of the answers. */
async function codesOf(headers: HeaderChanges, among: readonly Content[], routes = everyRoute) {
  const codes: Record<string, string[]> = {};
  for (const { line, method, path, body } of routes) {
    const answers = among.map(({ type, body: other }) => {
      const sent = type === null || method === 'GET' ? undefined : (other ?? body ?? '{}');
      const all = { Cookie: cookie, ...(type !== null && { 'Content-Type': type }), ...headers };
      return bff.fetch(ask(method, path, { body: sent, headers: all })).then(codeIn);
    });
    codes[line] = [...new Set(await Promise.all(answers))];
  }
  return codes;
}

const all = (code: string, routes = everyRoute) =>
  Object.fromEntries(routes.map(({ line }) => [line, [code]]));
const cases = Object.entries(marks).flatMap(([mark, first]) =>
  Object.entries(foreign).map(([origin, second]) => ({ mark, origin, headers: { ...first, ...second } })),
);
const unsafe = everyRoute.filter(({ method }) => method !== 'GET');

describe('every route', () => {
  it.each(cases)('refuses a request with $mark, $origin, and changes nothing', async ({ mark, headers }) => {
    const before = await stateOf(bff);
    const routes = mark === 'the right X-CSRF' ? unsafe : everyRoute;
    expect(await codesOf(headers, contents, routes)).toEqual(all('cross-site', routes));
    expect(await stateOf(bff)).toEqual(before);
  });

  it('refuses a body that is not JSON from its own page too, and changes nothing', async () => {
    const before = await stateOf(bff);
    const odd = contents.filter(({ type }) => type !== null && type !== 'application/json');
    expect(await codesOf({}, odd)).toEqual(all('not-json'));
    expect(await stateOf(bff)).toEqual(before);
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'lets in a request from %s where the browser names no more than the origin',
    async (Origin) => {
      const fresh = await createTestDesk({ service: 'canned' });
      await fresh.stop();
      const refused: string[] = [];
      // A changed password would let nobody sign in for the routes after it.
      for (const { name, line, method, path, body } of everyRoute) {
        const person = await fresh.signIn(name === 'changePassword' ? 'support' : 'manager');
        const answer = await person.ask(method, path, body, { 'Sec-Fetch-Site': null, Origin });
        // The handler may still refuse it, such as to pause what does not run.
        if (!answer.ok && ['cross-site', 'not-signed-in'].includes(await codeIn(answer))) refused.push(line);
      }
      expect(refused).toEqual([]);
    },
  );
});
