import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import type { Person } from '../../support/bff/person.ts';
import { upstreamBase } from '../../support/bff/upstream.ts';
import { everyRoute } from '../../support/bff/routes.ts';

let bff: TestDesk;
let manager: Person;
beforeAll(async () => {
  bff = await createTestDesk({ service: 'canned' });
  manager = await bff.signIn('manager');
});
beforeEach(() => {
  bff.upstream.calls.length = 0;
});

const urls = () => bff.upstream.calls.map(({ url }) => url);
const findByToken = (accessToken: string) => manager.ask('POST', '/bff/find-by-token', { accessToken });

/** The outcomes of requests, by what is odd about each. */
async function outcomesOf(among: readonly string[], send: (odd: string) => Promise<Response>) {
  const outcomes: Record<string, string> = {};
  for (const odd of among) outcomes[odd] = await outcomeOf(send(odd));
  return outcomes;
}
const all = (among: readonly string[], outcome: string) =>
  Object.fromEntries(among.map((odd) => [odd, outcome]));

describe('an odd spelling', () => {
  const dots = ['..', '.', '%2e%2e'];
  const others = (
    '%2e%2e%2f ..%2foauth%2ftoken %252e%252e%252f %2F %5C ..%5c.. 7;x 7%00 7%2Fregenerate-token 7%3FUsername=x ' +
    '7%23 %ff %zz 7%20 %37%2e0 http:%2F%2Fevil.test -1 0 07 9007199254740993'
  ).split(' ');

  it.each([
    ['DELETE', '', undefined],
    ['POST', '/regenerate-token', undefined],
    ['PUT', '', { note: '' }],
  ])('is no id to %s/{id}%s, and nothing is sent upstream', async (method, end, body) => {
    const send = (id: string) => manager.ask(method, `/api/subscribers/${id}${end}`, body);
    // These lead to another path.
    for (const outcome of Object.values(await outcomesOf(dots, send))) expect(outcome).toMatch(/^40[45] /);
    expect(await outcomesOf(others, send)).toEqual(all(others, '422 invalid-input'));
    expect(urls()).toEqual([]);
  });

  it('is a page and no data where it does not begin as data does', async () => {
    for (const start of ['//api', '/%61pi', '/API', '/x/..;/api'])
      expect(await (await manager.ask('GET', `${start}/subscribers`)).text(), start).toBe('page');
    expect(await (await manager.ask('GET', '/api%2Fsubscribers')).text()).toBe('page');
    expect(urls()).toEqual([]);
  });

  it('is no address of the BFF, and neither is one that does not exist', async () => {
    const paths = (
      '/api/subscribers/ /api//subscribers /api/subscribers/7/ /api/oauth/token /api/openapi.json /api /bff ' +
      '/api/nothing /bff/nothing /api/subscribers/by-token/abc'
    ).split(' ');
    const outcomes = await outcomesOf(paths, (path) => manager.ask('GET', path));
    expect(outcomes).toEqual(all(paths, '404 no-such-address'));
    expect(urls()).toEqual([]);
  });

  it('stays one segment as a token', async () => {
    const tokens = ['a/b', '../x', 'a?b#c', '%2e%2e', 'a b', '\\', 'é', '//evil.test'];
    for (const token of tokens) await findByToken(token);
    const paths = tokens.map((token) => `/subscribers/by-token/${encodeURIComponent(token)}`);
    expect(urls()).toEqual(paths.map((path) => upstreamBase + path));
  });
});

describe('an address', () => {
  it('names its methods to any other', async () => {
    for (const { path, line } of everyRoute) {
      const same = everyRoute.filter((route) => route.path === path).map(({ method }) => method);
      const methods = same.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const response = await manager.ask('PATCH', path);
      expect(await outcomeOf(response), line).toBe('405 method-not-allowed');
      expect(response.headers.get('Allow')?.split(', ').toSorted(), line).toEqual(methods.toSorted());
    }
  });

  it('takes HEAD as well where it takes GET', async () => {
    for (const { path } of everyRoute.filter(({ method }) => method === 'GET')) {
      const answers = [await manager.ask('HEAD', path), await manager.ask('GET', path)];
      // A file that nobody reads would keep the account from the next.
      for (const { body } of answers) await body?.cancel();
      const [head, get] = answers.map(({ status, headers }) => [status, headers.get('Content-Type')]);
      expect(head, path).toEqual(get);
    }
  });

  it('takes GET and HEAD only if it is of a page or a health check', async () => {
    for (const path of ['/', '/assets/x.js', '/healthz', '/readyz']) {
      const response = await manager.ask('POST', path);
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
      expect((await manager.ask('HEAD', path)).status).toBe(200);
    }
  });

  it('has its query read only where the table names one: a long one takes as long as a whole request', async () => {
    const read = vi.spyOn(URL.prototype, 'searchParams', 'get');
    const statusOf = async (path: string) => (await manager.ask('GET', `${path}?Page=1`)).status;
    expect([await statusOf('/bff/sign-in-ways'), await statusOf('/readyz')]).toEqual([200, 200]);
    expect(read).not.toHaveBeenCalled();
    expect(await statusOf('/bff/jobs')).toBe(200);
    expect(read).toHaveBeenCalled();
    read.mockRestore();
  });
});
