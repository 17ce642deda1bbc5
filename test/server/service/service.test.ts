import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/contract/http/client.ts';
import { api } from '../../../src/contract/service/api.ts';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import { addressKeys } from '../../../src/service/subscribers/values.ts';
import { listenOnFreePort } from '../../support/server/free-port.ts';
import { openService, runService } from '../../support/server/in-process.ts';
import { askToken, bearer, startService } from '../../support/server/server-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const secret = 'a-secret-of-more-than-32-characters';
const anywhere = () => ({ DATA_DIR: join(temporaryFolder(), 'data') });

describe('the service by itself', () => {
  it('serves the clients of SERVICE_CLIENTS, each with its own scopes', async () => {
    const clients = `crm:${secret}:subscribers:read, shop:${secret}:subscribers:read subscribers:write`;
    const { url, output } = await openService({ SERVICE_CLIENTS: clients, SAMPLE_SUBSCRIBERS: '7' });
    const { token } = await askToken(url, 'crm', secret);
    const answer = await fetch(`${url}/subscribers`, { headers: bearer(token) });
    expect(await answer.json()).toMatchObject({ totalCount: 7 });
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect((await askToken(url, 'crm', secret, 'subscribers:write')).status).toBe(400);
    expect((await askToken(url, 'shop', secret, 'subscribers:write')).status).toBe(200);
    expect(output()).not.toContain('add-client');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it('goes on filling its table of values after it was killed, and then with what an older version writes', async () => {
    const folder = join(temporaryFolder(), 'data');
    const count = 6_000;
    const env = { SERVICE_CLIENTS: `crm:${secret}:subscribers:read`, SAMPLE_SUBSCRIBERS: String(count) };
    await (await openService({ ...env, DATA_DIR: folder })).stop();
    const database = new DatabaseSync(join(folder, 'service.sqlite'), { timeout: 60_000 });
    onTestFinished(() => database.close());
    // As the update from the version before leaves it.
    database.exec(`delete from subscriber_values; insert into subscriber_values_fill values (0);
      update subscribers set address_keys = '[]' where address_keys <> '[]'`);
    const filled = () => database.prepare('select after_id from subscriber_values_fill').get()?.['after_id'];
    const killed = startService(folder, env);
    while (filled() === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    killed.signal('SIGKILL');
    await killed.ended;
    expect(filled()).toBeGreaterThan(0);
    expect(filled()).toBeLessThan(count);

    const { url: base } = await openService({ ...env, DATA_DIR: folder });
    const { token } = await askToken(base, 'crm', secret);
    const client = createClient(api, { fetch, base, headers: bearer(token) });
    await expect.poll(filled, { timeout: 60_000 }).toBeUndefined();
    const found = async (query: ListQuery) => (await client.listSubscribers({ query })).data.totalCount;
    const counted = (list: string, value: string) =>
      database
        .prepare(`select count(*) as n from subscribers where ? in (select value from json_each(${list}))`)
        .get(value)?.['n'];
    expect(await found({ Country: 'NO' })).toBe(counted('countries', 'NO'));
    const rows = database.prepare('select ip_addresses, address_keys from subscribers').all();
    const wrong = rows.filter(
      (row) => addressKeys(JSON.parse(String(row['ip_addresses']))) !== row['address_keys'],
    );
    expect(wrong).toEqual([]);
    const key = database.prepare('select value from subscriber_values where kind = 3 limit 1').get()?.[
      'value'
    ];
    expect(counted('address_keys', String(key))).toBe(
      database
        .prepare('select count(*) as n from subscriber_values where kind = 3 and value = ?')
        .get(String(key))?.['n'],
    );

    const IpAddress = '2001:db8:9::7';
    database.prepare('update subscribers set ip_addresses = ? where id = 1').run(JSON.stringify([IpAddress]));
    await expect.poll(() => found({ IpAddress })).toBe(1);
  });

  it('says how to make a client where there is none', async () => {
    const env = anywhere();
    const empty = await openService(env);
    expect(empty.output()).toMatch(
      /^It has no API clients yet\. Add one: npm run service -- add-client ID$/m,
    );
    await runService(env, 'add-client', 'crm');
    expect((await openService(env)).output()).not.toContain('add-client');
  });

  it('is alive and ready, and has figures for who has METRICS_TOKEN', async () => {
    const METRICS_TOKEN = 'token-of-the-monitoring';
    const { url, output } = await openService({ METRICS_TOKEN });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const figures = await fetch(`${url}/metrics`, { headers: bearer(METRICS_TOKEN) });
    expect(await figures.text()).toContain(
      'service_requests_total{route="/healthz",method="GET",status="2xx"} 1',
    );
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const readiness = async (headers = {}) => (await fetch(`${url}/readyz`, { headers })).json();
    expect(await readiness()).toEqual({ ready: true });
    expect(await readiness(bearer(METRICS_TOKEN))).toEqual({ ready: true, database: true });
    const lines = output().split('\n');
    expect(lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))).toContainEqual(
      expect.objectContaining({ event: 'request', route: '/readyz', status: 200 }),
    );
  });

  it('keeps no secret that anybody could read', async () => {
    const env = anywhere();
    const { secret: made, code } = await runService(env, 'add-client', 'crm');
    expect([code, made.length]).toEqual([0, 43]);
    const clients = `shop:${secret}:subscribers:read`;
    const { stop, output, complaints } = await openService({ ...env, SERVICE_CLIENTS: clients });
    await stop();
    const files = readdirSync(env.DATA_DIR).map((name) => readFileSync(join(env.DATA_DIR, name), 'latin1'));
    expect(files.length).toBeGreaterThan(0);
    for (const text of [...files, output(), complaints()])
      for (const known of [made, secret]) expect(text.includes(known)).toBe(false);
  });

  it('does not start on a port in use, and names its own variable', async () => {
    const other = createServer();
    onTestFinished(() => void other.close());
    const port = await listenOnFreePort(other);
    await expect(openService({ SERVICE_PORT: String(port) })).rejects.toThrow(
      `Port ${port} is in use. Stop the other program or set SERVICE_PORT to another number.`,
    );
  });
});

describe('npm run service', () => {
  it('replaces a secret without a pause, and locks a client out, while the service runs', async () => {
    const env = anywhere();
    const { url } = await openService(env);
    const command = (name: string, ...options: string[]) => runService(env, name, 'crm', ...options);
    const statuses = async (...secrets: string[]) =>
      Promise.all(secrets.map(async (each) => (await askToken(url, 'crm', each)).status));
    const first = await command('add-client', 'subscribers:read');
    const second = await command('add-secret');
    expect(await statuses(first.secret, second.secret)).toEqual([200, 200]);
    expect(await command('add-secret')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already has two secrets'),
      secret: '',
    });
    expect(await command('remove-secret')).toMatchObject({ code: 0, stderr: '' });
    expect(await statuses(first.secret, second.secret)).toEqual([401, 200]);
    expect((await command('remove-secret')).stderr).toMatch(/has only one secret/);
    expect(await statuses(second.secret)).toEqual([200]);
    expect(await command('remove-client')).toMatchObject({ code: 0, stderr: '' });
    expect(await statuses(second.secret)).toEqual([401]);
  });

  it('rotates the keys, after which the old token and a new one are good', async () => {
    const env = anywhere();
    const { url } = await openService(env);
    const { secret: its } = await runService(env, 'add-client', 'crm');
    const { token: old } = await askToken(url, 'crm', its);
    expect(await runService(env, 'rotate-keys')).toMatchObject({ code: 0, stderr: '' });
    const { token: next } = await askToken(url, 'crm', its);
    expect(next).not.toBe(old);
    for (const token of [old, next])
      expect((await fetch(`${url}/subscribers`, { headers: bearer(token) })).status).toBe(200);
  });

  it('says why it can’t do something', async () => {
    const env = anywhere();
    await runService(env, 'add-client', 'crm');
    const rows: [words: string[], sentence: RegExp][] = [
      [['dance'], /^Give a command: npm run service -- COMMAND\. The commands are: add-client, /],
      [['add-client'], /^Give the new client an ID/],
      [['add-client', 'a:b'], /^This is not a client ID\. Use 1 to 64 /],
      [['add-client', 'crm'], /^The client crm already exists\./],
      [
        ['add-client', 'shop', 'everything'],
        /^There is no such scope\. Choose from: subscribers:read, subscribers:write\./,
      ],
      [['add-secret', 'nobody'], /^There is no client nobody\./],
      [['remove-secret', 'nobody'], /^There is no client nobody\./],
      [['remove-client', 'nobody'], /^There is no client nobody\./],
      [['remove-client'], /^Give the ID of one client: npm run service -- remove-client ID\./],
      ...['add-client', 'add-secret', 'remove-secret', 'remove-client'].map((name): (typeof rows)[number] => [
        [name, 'subscriber-desk'],
        /^The client subscriber-desk is the dashboard's own\./,
      ]),
      [['rotate-keys', 'now'], /^Give rotate-keys no options\./],
    ];
    for (const [words, sentence] of rows) {
      const stderr = expect.stringMatching(sentence);
      expect(await runService(env, ...words)).toEqual({ code: 1, stdout: '', stderr, secret: '' });
    }
  });
});
