import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { anna } from '../../support/service/people.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { unusedPort } from '../../support/server/free-port.ts';
import { openService, runService } from '../../support/server/in-process.ts';
import { askToken, bearer } from '../../support/server/server-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** Two services that start at the same moment on one empty database, as one service behind one address. */
async function startTwo() {
  const DATA_DIR = join(temporaryFolder(), 'none');
  const env = {
    DATA_DIR,
    SERVICE_DATABASE_URL: await createDatabase(),
    SERVICE_URL: 'https://service.example',
  };
  const start = async () => {
    const SERVICE_PORT = String(await unusedPort());
    const { url } = await openService({ ...env, SERVICE_PORT, SAMPLE_SUBSCRIBERS: '3' });
    expect(url).toBe(env.SERVICE_URL);
    return `http://127.0.0.1:${SERVICE_PORT}`;
  };
  const [one, other] = await Promise.all([start(), start()]);
  return { one, other, env };
}

test('two services on one database are one: their subscribers, clients, tokens and keys', async () => {
  const { one, other, env } = await startTwo();
  const first = await runService(env, 'add-client', 'crm');
  const second = await runService(env, 'add-secret', 'crm');
  const scope = 'subscribers:read subscribers:write';
  const { token } = await askToken(one, 'crm', first.secret, scope);
  const at = (base: string, its: string) => createClient(api, { fetch, base, headers: bearer(its) });
  const { id, accessToken } = (await at(one, token).createSubscriber({ body: anna })).data;
  expect((await runService(env, 'rotate-keys')).code).toBe(0);
  const { token: later } = await askToken(other, 'crm', second.secret, scope);
  expect(decodeProtectedHeader(later).kid).not.toBe(decodeProtectedHeader(token).kid);
  for (const base of [one, other])
    for (const its of [token, later])
      expect((await at(base, its).listSubscribers({ query: {} })).data.totalCount).toBe(4);

  const renewed = (await at(other, token).regenerateToken({ params: { id } })).data;
  const find = (known: string) =>
    at(one, later).getSubscriberByToken({ params: { accessToken: known }, query: {} });
  await expect(find(accessToken)).rejects.toMatchObject({ code: 'no-such-subscriber' });
  expect((await find(renewed.accessToken)).data.id).toBe(id);
  expect(existsSync(env.DATA_DIR)).toBe(false);
});
