import { createServer, type ServerResponse } from 'node:http';
import { connect, type ClientHttp2Session } from 'node:http2';
import { request } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { listenOnFreePort, unusedPort } from '../../support/server/free-port.ts';
import { findNginx, startNginx } from '../../support/server/nginx.ts';
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
      const requested = request(`${url}/bff/session`, options, (answer) => {
        const transport = answer.headers['strict-transport-security'];
        answer.resume().on('end', () => resolve({ status: answer.statusCode, transport }));
      });
      requested.on('error', reject);
      requested.end(JSON.stringify({ name: `nobody ${claimed}`, password: 'not the password' }));
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

describe('the limits of nginx, with the example of src/server/deploy', () => {
  beforeEach(({ skip }) => skip(nginx === null, 'There is no nginx. Debian: apt-get install nginx.'));

  async function openLimits(server: number) {
    const port = await unusedPort();
    const proxy = await startNginx(nginx ?? '', { port, server });
    onTestFinished(proxy.stop);
    /** A browser at an address of this machine, with one connection. */
    const open = (localAddress: string): ClientHttp2Session => {
      const options = {
        host: '127.0.0.1',
        port,
        localAddress,
        ALPNProtocols: ['h2'],
        rejectUnauthorized: false,
      };
      const session = connect(`https://127.0.0.1:${port}`, { createConnection: () => connectTls(options) });
      onTestFinished(() => session.destroy());
      return session;
    };
    return { ...proxy, open };
  }

  const statusOf = (session: ClientHttp2Session) =>
    new Promise<number>((resolve, reject) => {
      const requested = session.request({ ':path': '/?username=hansen' });
      requested.on('response', (headers) => resolve(Number(headers[':status'])));
      requested.on('error', reject).resume();
    });

  test('one address has 200 requests under way, and another one is served meanwhile', async () => {
    const held: ServerResponse[] = [];
    const server = createServer((_, answer) => void held.push(answer));
    const { open } = await openLimits(await listenOnFreePort(server));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const browsers = [open('127.0.0.4'), open('127.0.0.4')];
    const statuses: number[] = [];
    const requested = browsers.flatMap((browser) =>
      Array.from({ length: 105 }, async () => void statuses.push(await statusOf(browser))),
    );
    await expect.poll(() => [held.length, statuses]).toEqual([200, Array(10).fill(429)]);
    const other = statusOf(open('127.0.0.5'));
    await expect.poll(() => held.length).toBe(201);
    for (const answer of held) answer.end();
    await Promise.all(requested);
    expect([await other, statuses.filter((status) => status === 200).length]).toEqual([200, 200]);
  });

  test('one address sends 300 requests at once and no more than 100 a second after, and another one is served', async () => {
    // Nothing listens there, so that nginx answers at once.
    const { open, log } = await openLimits(await unusedPort());
    const statuses: number[] = [];
    // nginx ends a connection after 1,000 requests.
    const askOn = async (browser: ClientHttp2Session) => {
      for (let count = 0; count < 90; count += 1) statuses.push(await statusOf(browser));
    };
    const browsers = [open('127.0.0.6'), open('127.0.0.6')];
    await Promise.all(browsers.flatMap((browser) => Array.from({ length: 10 }, () => askOn(browser))));
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 502).length).toBeGreaterThan(300);
    expect(log()).toContain('"GET /" 502');
    expect(log()).not.toContain('hansen');
    expect(await statusOf(open('127.0.0.7'))).toBe(502);
  });
});
