import { request } from 'node:https';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { findNginx } from '../../support/server/nginx.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { openBehindNginx } from '../../support/e2e/deployments.ts';
import { signIn } from '../../support/e2e/sign-in.ts';

const nginx = findNginx();

describe('the product behind nginx, with the example of src/server/deploy', () => {
  let server: Awaited<ReturnType<typeof openBehindNginx>>;
  let url: string;

  beforeEach(({ skip }) => skip(nginx === null, 'There is no nginx. Debian: apt-get install nginx.'));
  beforeAll(async () => {
    if (nginx === null) return;
    server = await openBehindNginx(nginx);
    ({ url } = server);
    return server.stop;
  });

  test('a page comes over TLS and HTTP/2 with a secure cookie, and the log has no searches', async () => {
    const { page, complaints } = await openPage({ ignoreHTTPSErrors: true });
    await signIn(page, server);
    await page.getByRole('searchbox', { name: 'Find subscribers' }).fill('hansen');
    await page.waitForURL(/username=hansen/);
    await page.locator('table[aria-busy=false]').getByRole('link').first().waitFor();
    const protocols = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => Reflect.get(entry, 'nextHopProtocol')),
    );
    // What came from the cache has none.
    expect(new Set(protocols.filter((protocol) => protocol !== ''))).toEqual(new Set(['h2']));
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ secure: true, httpOnly: true });
    expect(complaints()).toEqual([]);
    expect(server.log()).toContain('"GET /api/subscribers" 200');
    expect(server.log()).not.toContain('hansen');
  });

  /** A try to sign in from an address of this machine, which says that it comes from another one. */
  function tryToSignIn(localAddress: string, claimed: string) {
    return new Promise<{ status: number | undefined; transport: string | undefined }>((resolve, reject) => {
      const headers = {
        [csrfHeader.name]: csrfHeader.value,
        'Content-Type': 'application/json',
        Origin: url,
        'X-Forwarded-For': claimed,
      };
      const options = { method: 'POST', headers, localAddress, rejectUnauthorized: false, agent: false };
      const asked = request(`${url}/bff/session`, options, (answer) => {
        const transport = answer.headers['strict-transport-security'];
        answer.resume().on('end', () => resolve({ status: answer.statusCode, transport }));
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ name: `nobody ${claimed}`, password: 'not the password' }));
    });
  }

  test('wrong passwords count for the address that nginx saw, whatever a client claims', async () => {
    let tries = 0;
    let last = await tryToSignIn('127.0.0.2', '198.51.100.0');
    expect(last).toEqual({ status: 401, transport: 'max-age=63072000' });
    for (; last.status === 401 && tries < 60; tries += 1)
      last = await tryToSignIn('127.0.0.2', `198.51.100.${tries + 1}`);
    expect(last.status).toBe(429);
    expect((await tryToSignIn('127.0.0.3', '198.51.100.250')).status).toBe(401);
  });
});
