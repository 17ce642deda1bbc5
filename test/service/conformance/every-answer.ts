import { expect, it } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import type { Begin } from './subject.ts';

/** Rules of every answer, and requests that need no token. */
export function everyAnswer(begin: Begin): void {
  it('has the request id that came, or a new one where that is none', async () => {
    const { send } = await begin();
    const idOf = async (id: string, path: string) =>
      (await send('GET', path, { headers: { 'X-Request-Id': id } })).headers.get('X-Request-Id');
    for (const id of ['abcdefgh', 'A-long_one-0123', 'x'.repeat(64)])
      for (const path of ['/subscribers', '/nowhere']) expect(await idOf(id, path)).toBe(id);
    for (const id of ['short', 'x'.repeat(65), 'with space', 'new"line', '']) {
      const [one, other] = [await idOf(id, '/nowhere'), await idOf(id, '/nowhere')];
      expect(one).toMatch(/^[\w-]{8,64}$/);
      expect(other).not.toBe(one);
      expect(one).not.toBe(id);
    }
  });

  it('may be stored by no cache on the way', async () => {
    const { send } = await begin();
    for (const path of ['/subscribers', '/subscribers/x', '/subscriber-statuses', '/healthz', '/nowhere'])
      expect((await send('GET', path)).headers.get('Cache-Control'), path).toBe('no-store');
  });

  it('has no body where it answers HEAD, and is else that of GET', async () => {
    const { send, client, anna } = await begin();
    const path = `/subscribers/${(await client.createSubscriber({ body: anna })).data.id}`;
    const [head, get] = [await send('HEAD', path), await send('GET', path)];
    expect([head.status, head.headers.get('ETag')]).toEqual([200, get.headers.get('ETag')]);
    expect(await head.text()).toBe('');
    expect((await send('HEAD', '/subscribers/9007199254740991')).status).toBe(404);
    expect((await send('HEAD', '/subscribers', { token: null })).status).toBe(401);
  });

  it('needs no token for the health and the description of every operation, at the service’s own address', async () => {
    const { send, base } = await begin();
    expect((await send('GET', '/healthz', { token: null })).status).toBe(200);
    expect((await send('GET', '/readyz', { token: null })).status).toBe(200);
    const response = await send('GET', '/openapi.json', { token: null });
    const { openapi, paths, servers } = (await response.json()) as Record<string, object>;
    expect(openapi).toMatch(/^3\.1\.\d+$/);
    expect(Object.keys(paths ?? {})).toEqual([...new Set(Object.values(api).map(({ path }) => path))]);
    expect(servers).toEqual([{ url: base }]);
  });
}
