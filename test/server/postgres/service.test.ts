import { sql, type KyselyPlugin } from 'kysely';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { fillValues } from '../../../src/service/subscribers/values.ts';
import { startTwo as startTwoServices } from '../../support/service/harness.ts';
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

test('the table of values has what another server changes while a portion of it is read', async () => {
  const { one, other } = await startTwoServices();
  const expiresAt = new Date(one.time.now).toISOString();
  for (const username of ['ann', 'bob'])
    await one.client.createSubscriber({
      body: { username, email: `${username}@example.com`, expiresAt, ipAddresses: ['192.0.2.1'] },
    });
  await one.db.insertInto('subscriber_values_fill').values({ after_id: 0 }).execute();
  await one.db.deleteFrom('subscriber_values').execute();
  let changed: Promise<unknown> = Promise.resolve();
  let progress: 'none' | 'begun' | 'done' = 'none';
  const isWaiting = sql<{ waits: boolean }>`select exists (select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock') as waits`;
  const changeMeanwhile: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // Only the read of a portion has these columns alone.
      if (progress !== 'none' || Object.keys(result.rows[0] ?? {}).join() !== 'id,ip_addresses')
        return result;
      progress = 'begun';
      const change = other.client.updateSubscriber({
        params: { id: 1 },
        body: { ipAddresses: ['203.0.113.5'] },
      });
      changed = change.finally(() => (progress = 'done'));
      await expect
        .poll(async () => progress === 'done' || (await isWaiting.execute(other.db)).rows[0]?.waits)
        .toBe(true);
      return result;
    },
  };
  await fillValues(one.db.withPlugin(changeMeanwhile), async () => {});
  await changed;
  const found = async (IpAddress: string) =>
    (await one.client.listSubscribers({ query: { IpAddress } })).data.items.map(({ username }) => username);
  expect([await found('203.0.113.5'), await found('192.0.2.1')]).toEqual([['ann'], ['bob']]);
});
