import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { createDatabase } from '../../support/setup/database.ts';

/** Ten seconds for some 600,000 rows, in a test: in ms, for so many of an import. */
const [patience, many] = [250, 60_000];

test('a person is erased from very many rows of imports, though PostgreSQL ends a transaction that waits for long', async () => {
  const config = { variable: 'DATABASE_URL', url: await createDatabase() };
  const options = { name: 'desk', migrations: bffMigrations, fill: async () => {} } as const;
  const db = await openDatabase<BffTables>(config, options);
  onTestFinished(() => db.destroy());
  await sql`insert into jobs (id, kind, state, staff_id, staff_name, created_at, request_id, total, counts, ran_for,
    rows_done, lease_until, fence) values ('job', 'import', 'done', 'x', 'x', 1, 'x', 0, '{}', 0, 0, 0, 0)`.execute(
    db,
  );
  await sql`insert into job_rows (job_id, number, subscriber_id, username, result, tries, source)
    select 'job', number, 1000 + number, 'person.' || number, 'done', 1,
      '["person.' || number || '", "person.' || number || '@example.com", "Called: no picture. The app was out of date."]'
    from generate_series(1, ${sql.lit(many)}) as number`.execute(db);
  const forgotten = await db.connection().execute(async (one) => {
    await sql`set idle_in_transaction_session_timeout = ${sql.lit(patience)}`.execute(one);
    return forgetSubscriber(one, createMac('a'.repeat(43)), 5, [`person.${many}`]);
  });
  expect(forgotten).toMatchObject({ rows: 1, open: 0 });
  const { rows } = await sql<{ number: number }>`select number from job_rows where source is null`.execute(
    db,
  );
  expect(rows).toEqual([{ number: many }]);
});
