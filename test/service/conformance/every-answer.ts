import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import type { Caller } from './subject.ts';

/** What holds of every answer, and what can be asked without a token. */
export function everyAnswer(begin: () => Promise<Caller>): void {
  test.each(['abcdefgh', 'A-long_one-0123', 'x'.repeat(64)])(
    'has the request id that came: %s',
    async (id) => {
      const { send } = await begin();
      for (const path of ['/subscribers', '/nowhere']) {
        const response = await send('GET', path, { headers: { 'X-Request-Id': id } });
        expect(response.headers.get('X-Request-Id')).toBe(id);
      }
    },
  );

  test.each(['short', 'x'.repeat(65), 'with space', 'new"line', ''])(
    'has a new request id instead of "%s"',
    async (id) => {
      const { send } = await begin();
      const idOf = async () => {
        const response = await send('GET', '/nowhere', { headers: { 'X-Request-Id': id } });
        return response.headers.get('X-Request-Id');
      };
      const [one, other] = [await idOf(), await idOf()];
      expect(one).toMatch(/^[\w-]{8,64}$/);
      expect(other).not.toBe(one);
      expect(one).not.toBe(id);
    },
  );

  test('may be kept by no cache on the way', async () => {
    const { send } = await begin();
    for (const path of ['/subscribers', '/subscribers/x', '/subscriber-statuses', '/healthz', '/nowhere'])
      expect((await send('GET', path)).headers.get('Cache-Control')).toBe('no-store');
  });

  test('to HEAD is that to GET, without the body', async () => {
    const { send, client, anna } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    const path = `/subscribers/${id}`;
    const [head, get] = [await send('HEAD', path), await send('GET', path)];
    expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([
      200,
      get.headers.get('ETag'),
      '',
    ]);
    expect((await send('HEAD', '/subscribers/9007199254740991')).status).toBe(404);
    expect((await send('HEAD', '/subscribers', { token: null })).status).toBe(401);
  });

  test('GET /healthz and /readyz answer 200 to anybody', async () => {
    const { send } = await begin();
    expect((await send('GET', '/healthz', { token: null })).status).toBe(200);
    expect((await send('GET', '/readyz', { token: null })).status).toBe(200);
  });

  test('GET /openapi.json describes every operation in OpenAPI 3.1 at the service’s own address, to anybody', async () => {
    const { send, base } = await begin();
    const response = await send('GET', '/openapi.json', { token: null });
    const { openapi, paths, servers } = (await response.json()) as Record<string, object>;
    expect(openapi).toMatch(/^3\.1\.\d+$/);
    expect(Object.keys(paths ?? {})).toEqual([...new Set(Object.values(api).map(({ path }) => path))]);
    expect(servers).toEqual([{ url: base }]);
  });
}
