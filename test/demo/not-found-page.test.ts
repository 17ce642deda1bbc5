import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';

const page = readFileSync(new URL('../../src/demo/404.html', import.meta.url), 'utf8');
const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];

it.each([
  ['/demo/subscribers/12', '/demo/?demo-at=%2Fsubscribers%2F12'],
  ['//other.example/demo/subscribers/12', '/other.example/demo/?demo-at=%2Fsubscribers%2F12'],
  ['/demo//other.example/', '/demo/?demo-at=%2Fother.example%2F'],
])('leads from %s to the demo on the same host', async (pathname, target) => {
  const requested: string[] = [];
  const replace = vi.fn<(address: string) => void>();
  const fetch = async (address: string) => {
    requested.push(address);
    const isThere = address.endsWith('/demo/mockServiceWorker.js');
    return new Response(null, {
      status: isThere ? 200 : 404,
      headers: { 'Content-Type': 'text/javascript' },
    });
  };
  runInNewContext(script, { location: { pathname, search: '', hash: '', replace }, fetch });
  await vi.waitFor(() => expect(replace).toHaveBeenCalledWith(target));
  expect(requested.filter((address) => address.startsWith('//'))).toEqual([]);
});
