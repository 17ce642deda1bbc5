import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { findSecret } from '../../../src/bff/auth/secrets.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { buildDashboard } from '../../../src/server/build/build.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { root } from '../../support/server/start-process.ts';
import {
  addressOf,
  signIn,
  startServer,
  newSubscriber,
  writeTo,
} from '../../support/server/server-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

const password = 'chosen by the operator';

/** Two servers on one PostgreSQL, and a session that is valid at both. */
async function openBoth() {
  const [DATABASE_URL, SERVICE_DATABASE_URL] = [await createDatabase(), await createDatabase()];
  const env = { DATABASE_URL, SERVICE_DATABASE_URL, SAMPLE_SUBSCRIBERS: '10', MANAGER_PASSWORD: password };
  const servers = [0, 1].map(() => startServer(join(temporaryFolder(), 'none'), env));
  const [one = '', other = ''] = await Promise.all(servers.map(addressOf));
  const { cookie } = await signIn(one, password);
  const db = openPostgres<BffTables>(DATABASE_URL);
  const service = openPostgres<ServiceTables>(SERVICE_DATABASE_URL);
  onTestFinished(async () => void (await Promise.all([db.destroy(), service.destroy()])));
  return { writes: [writeTo(one, cookie), writeTo(other, cookie)] as const, db, service };
}

describe('two servers on one PostgreSQL', () => {
  test('do a change once that comes to both at once with the same key', async () => {
    const { writes, service } = await openBoth();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => {
        const write = turn % 2 === 0 ? writes[0] : writes[1];
        return write('POST', '/api/subscribers', newSubscriber('once-only'), 'the-same-key-at-both');
      }),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(19);
    const made = service.selectFrom('subscribers').select('id').where('username', '=', 'once-only');
    expect(await made.execute()).toHaveLength(1);
  });

  test('change a subscriber one after the other, in one chain that holds', async () => {
    const { writes, db, service } = await openBoth();
    const turns = Array.from({ length: 16 }, (_, turn) => turn);
    const answers = await Promise.all(
      turns.map((turn) => {
        const write = turn % 2 === 0 ? writes[0] : writes[1];
        return write('PUT', `/api/subscribers/${(turn % 4) + 1}`, { note: `turn ${turn}` });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(turns.map(() => 200));
    const entries = await db.selectFrom('journal').selectAll().orderBy('seq').execute();
    const notes = await service
      .selectFrom('subscribers')
      .select(['id', 'note'])
      .where('id', '<=', 4)
      .execute();
    for (const { id, note } of notes) {
      const own = entries.filter((entry) => entry.subscriber_id === id);
      expect(JSON.parse(own.at(-1)?.after ?? '{}')).toEqual({ note });
      for (const [index, { before_record: before }] of own.entries())
        expect(index === 0 || JSON.parse(before ?? '').note).toBe(
          index === 0 || JSON.parse(own[index - 1]?.after ?? '').note,
        );
    }
    const key = await findSecret(db, 'journal-key');
    // The others tell of the manager's account and its sign-ins.
    const changes = entries.filter(({ kind }) => kind === 'change');
    expect(changes).toHaveLength(turns.length);
    expect(await verifyJournal(db, createMac(key ?? ''))).toMatchObject({ entries: entries.length });
  });
});
