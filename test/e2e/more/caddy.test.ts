import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findDebianProgram } from '../../support/server/debian-program.ts';
import { readExample } from '../../support/server/deploy-example.ts';
import { unusedPort } from '../../support/server/free-port.ts';
import { openServer } from '../../support/server/in-process.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const caddy = findDebianProgram('caddy', '/usr/bin/caddy');

describe('the server behind Caddy, with the example of src/server/deploy', () => {
  beforeEach(({ skip }) => skip(caddy === null, 'There is no Caddy. Debian: apt-get install caddy.'));

  test('answers what it can while the service is dark, and gets no large body', async () => {
    const [port, behind, dark] = [await unusedPort(), await unusedPort(), await unusedPort()];
    const url = `http://127.0.0.1:${port}`;
    const { stop } = await openServer({
      PORT: String(behind),
      PUBLIC_URL: url,
      TRUSTED_PROXIES: '127.0.0.1',
      UPSTREAM_URL: `http://127.0.0.1:${dark}`,
      UPSTREAM_CLIENT_ID: 'desk',
      UPSTREAM_CLIENT_SECRET: 'none',
      UPSTREAM_SCOPE_READ: 'read',
      UPSTREAM_SCOPE_WRITE: 'write',
    });
    const folder = temporaryFolder();
    const file = join(folder, 'Caddyfile');
    const example = readExample('Caddyfile', [
      ['{\n\tlog', '{\n\tadmin off\n\tlog'],
      [/^\{\$DESK_HOST:\S+ \{/m, `${url} {`],
      [/\{\$DESK_SERVER:\S+\}/, `127.0.0.1:${behind}`],
    ]);
    writeFileSync(file, example);
    // It keeps its files in its home.
    const { complaints } = startProcess(
      ['run', '--config', file],
      { HOME: folder },
      { program: caddy ?? '' },
    );
    const ask = (path: string, options: RequestInit = {}) =>
      fetch(url + path, options).then(
        ({ status }) => status,
        () => null,
      );
    await expect.poll(() => ask('/healthz'), { timeout: 20_000 }).toBe(200);
    const headers = { 'X-CSRF': '1', 'Content-Type': 'application/json', Origin: url };
    const send = (size: number) => ask('/bff/session', { method: 'POST', headers, body: ' '.repeat(size) });
    expect([await ask('/readyz'), await ask('/subscribers')]).toEqual([503, 200]);
    expect([await send(100), await send(70_000)]).toEqual([422, 413]);
    await stop();
    await expect.poll(() => ask('/api/subscribers?Username=hansen'), { timeout: 20_000 }).toBe(502);
    expect(complaints()).not.toContain('hansen');
  });
});
