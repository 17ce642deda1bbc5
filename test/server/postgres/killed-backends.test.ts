import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { startService } from '../../support/service/harness.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import { createWriter } from '../../support/service/ledger.ts';

const kills = 200;

test(`PostgreSQL’s backends, killed ${kills} times while eight write, lose no acknowledged write`, async () => {
  const url = await createDatabase('service');
  const [db, admin] = [openPostgres<ServiceTables>(url), openPostgres(url)];
  onTestFinished(async () => void (await Promise.all([db.destroy(), admin.destroy()])));
  const service = await startService({ db });
  const headers = { Authorization: `Bearer ${await service.token('subscribers:read', 'subscribers:write')}` };
  const problems = new Set<string>();
  const fetch = async (request: Request) => {
    const answer = await service.fetch(request);
    if (!answer.ok) problems.add(`${request.method} ${(await problemOf(answer.clone())).problem}`);
    return answer;
  };
  const client = createClient(api, { fetch, base: 'https://service.example', headers });
  const writers = Array.from({ length: 8 }, (_, index) => createWriter(`writer-${index}`));
  const faults: string[] = [];
  const seen = { killed: 0, unknown: 0, acknowledged: 0 };

  const check = async (writer: (typeof writers)[number]) => {
    // A read may meet a killed backend too; it changes nothing, so it is simply asked again.
    for (;;) {
      const found = await writer.check(client).catch(() => null);
      if (!found) continue;
      faults.push(...found);
      return;
    }
  };
  const writing = writers.map(async (writer) => {
    while (seen.killed < kills) {
      if (await writer.write(client)) seen.acknowledged += 1;
      else {
        seen.unknown += 1;
        await check(writer);
      }
    }
    await check(writer);
  });
  while (seen.killed < kills) {
    const query = sql<{ pid: number }>`select pg_terminate_backend(pid), pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active' limit 1`;
    seen.killed += (await query.execute(admin)).rows.length;
  }
  await Promise.all(writing);
  expect(faults).toEqual([]);
  // Whatever breaks off is said to be so, and of a change that its outcome is not known: never a 500.
  expect(
    [...problems].filter((each) => !/ 503 (change-unconfirmed|database-unavailable)$/.test(each)),
  ).toEqual([]);
  expect([...problems].filter((each) => /^GET .*unconfirmed/.test(each))).toEqual([]);
  expect([...problems].some((each) => each.endsWith('503 change-unconfirmed'))).toBe(true);
  expect(seen.unknown).toBeGreaterThan(0);
  expect(seen.acknowledged).toBeGreaterThan(seen.unknown);
});
