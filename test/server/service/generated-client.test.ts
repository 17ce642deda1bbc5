import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import createClient from 'openapi-fetch';
import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { credentials, startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';
import type { paths } from './generated-client/api.d.ts';
import { generateTypes } from './generated-client/generate.ts';
import { openListener } from '../../support/server/http-listener.ts';
import { bearer } from '../../support/server/server-process.ts';

const folder = fileURLToPath(new URL('generated-client/', import.meta.url));

test('a client generated from what the service says of itself compiles with the calls of this file', async () => {
  const document = await fetch(`${await start()}/openapi.json`);
  writeFileSync(join(folder, 'api.d.ts'), await generateTypes(await document.json()));
  const { stdout } = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

test('a generated client calls every operation, and is typed as it is answered', async () => {
  const { called, ...client } = await signedIn(await start());
  const body = { ...anna, bundles: [3] };
  const created = await client.POST('/subscribers', { body });
  expect(created.data).toMatchObject({ ...body, maxConnections: 1 });
  const path = { id: created.data?.id ?? 0 };

  const query = { Username: 'ann', StatusId: 1, Expired: true, SortBy: 'username', Page: 1 } as const;
  const found = await client.GET('/subscribers', { params: { query: { ...query, Expired: false } } });
  expect(found.data?.items.map(({ username }) => username)).toEqual(['Anna']);
  expect((await client.GET('/subscribers', { params: { query } })).data?.totalCount).toBe(0);

  const read = await client.GET('/subscribers/{id}', { params: { path, query: { include: ['bundles'] } } });
  expect([read.data?.bundles, read.data?.countries]).toEqual([[3], undefined]);

  const accessToken = read.data?.accessToken ?? '';
  const byToken = await client.GET('/subscribers/by-token/{accessToken}', {
    params: { path: { accessToken }, query: { include: ['bundles', 'countries'] } },
  });
  expect([byToken.data?.id, byToken.data?.countries]).toEqual([path.id, []]);

  const header = {
    'If-Match': read.response.headers.get('ETag') ?? '',
    'Idempotency-Key': 'a-key-of-16-signs',
  };
  const change = { params: { path, header }, body: { note: 'By a stranger' } };
  expect((await client.PUT('/subscribers/{id}', change)).data?.note).toBe('By a stranger');
  const again = await client.PUT('/subscribers/{id}', change);
  expect(again.response.headers.get('Idempotency-Replayed')).toBe('true');

  const renewed = await client.POST('/subscribers/{id}/regenerate-token', { params: { path } });
  expect(renewed.data?.accessToken).not.toBe(accessToken);
  const deleted = await client.DELETE('/subscribers/{id}', { params: { path } });
  expect(deleted.data).toMatchObject({ id: path.id, note: 'By a stranger' });
  const limits = { Limits: ['2026-01-01T00:00:00Z'] };
  const counted = await client.GET('/subscribers/statistics', { params: { query: limits } });
  expect(counted.data?.statuses.length).toBeGreaterThan(0);
  const statuses = await client.GET('/subscriber-statuses');
  expect(statuses.data?.map(({ name }) => name)).toContain('Active');
  expect([...called].toSorted()).toEqual(
    Object.values(api)
      .map((row) => `${row.method} ${row.path}`)
      .toSorted(),
  );
});

test('a generated client gets refusals as they are described, and cannot be compiled with wrong calls', async () => {
  const client = await signedIn(await start());
  const missing = await client.GET('/subscribers/{id}', { params: { path: { id: 7 } } });
  expect([missing.error?.status, missing.error?.title]).toEqual([404, 'Subscriber not found']);
  // @ts-expect-error -- What a create needs is left out.
  const partial = await client.POST('/subscribers', { body: { username: 'Anna' } });
  expect(Object.keys(partial.error?.errors ?? {})).toEqual(['email', 'expiresAt']);
  // @ts-expect-error -- There is no such order.
  const odd = await client.GET('/subscribers', { params: { query: { SortBy: 'email' } } });
  expect(odd.error?.errors).toHaveProperty('SortBy');
});

/** A service that listens, and its address. */
async function start(): Promise<string> {
  const { fetch } = await startService();
  return `http://127.0.0.1:${(await openListener(fetch)).port}`;
}

/** A client with a token that it got by itself, and the operations that it has called. */
async function signedIn(baseUrl: string) {
  const client = createClient<paths>({ baseUrl });
  const called = new Set<string>();
  client.use({ onRequest: ({ request, schemaPath }) => void called.add(`${request.method} ${schemaPath}`) });
  const { data } = await client.POST('/oauth/token', {
    body: {
      grant_type: 'client_credentials',
      client_id: credentials.id,
      client_secret: credentials.secret,
      scope: 'subscribers:read subscribers:write',
    },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  client.use({
    onRequest({ request }) {
      for (const [name, value] of Object.entries(bearer(data?.access_token ?? '')))
        request.headers.set(name, value);
    },
  });
  return { ...client, called };
}
