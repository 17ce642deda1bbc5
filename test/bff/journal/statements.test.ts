import { CompiledQuery, type Kysely, type KyselyPlugin } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { migrate } from '../../../src/server/sql/migrate.ts';
import { ask } from '../../support/bff/browser.ts';
import { createTestDesk } from '../../support/desk.ts';
import { crowd, entered } from '../../support/people.ts';
import { openTestDatabase, whenOver } from '../../support/setup/database.ts';

test('an update takes twelve statements of the BFF', async () => {
  let statements = 0;
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1;
      return result;
    },
  };
  const db = (await openTestDatabase<BffTables>('bff', bffMigrations)).withPlugin(count);
  const desk = await createTestDesk({ db, people: [entered] });
  const headers = {
    Cookie: (await desk.signIn('support')).cookie(),
    [changeHeaders.key]: 'a-key-of-its-own',
  };
  statements = 0;
  const answer = await desk.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'new' }, headers }));
  expect([answer.status, statements]).toEqual([200, 12]);
});

describe('a journal of any length on SQLite', () => {
  const statements: CompiledQuery[] = [];

  /** A desk whose BFF has two subscribers that were changed, and whose statements are noted from now on. */
  async function openNoted() {
    const sqlite = openNodeSqlite<BffTables>(':memory:');
    whenOver(() => sqlite.destroy());
    await migrate(sqlite, bffMigrations);
    const note: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        statements.push(sqlite.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const desk = await createTestDesk({ db: sqlite.withPlugin(note), people: crowd(2) });
    const manager = await desk.signIn('manager');
    for (const id of [1, 2, 1])
      await manager.api.updateSubscriber({ params: { id }, body: { note: `${id}` } });
    statements.length = 0;
    return { desk, manager, sqlite };
  }

  /** The plans of SQLite for those statements that have this text. */
  async function plansOf(sqlite: Kysely<BffTables>, text: string): Promise<string[]> {
    const plans = statements
      .filter((statement) => statement.sql.includes(text))
      .map(async ({ sql: statement, parameters }) => {
        const plan = CompiledQuery.raw(`explain query plan ${statement}`, [...parameters]);
        return (await sqlite.executeQuery<{ detail: string }>(plan)).rows.map(({ detail }) => detail).join();
      });
    return [...new Set(await Promise.all(plans))];
  }

  it('is not read whole by the maintenance, which looks for open changes', async () => {
    const { desk, sqlite } = await openNoted();
    await desk.runMaintenance();
    const plans = await plansOf(sqlite, '"journal" where "outcome" is null');
    expect(plans).toEqual(['SCAN journal USING INDEX journal_under_way']);
  });

  it('is not read whole by its list, which looks for what was changed again', async () => {
    const { manager, sqlite } = await openNoted();
    const { items } = (await manager.bff.listActivity({ query: { kind: 'change' } })).data;
    expect(items.map((item) => 'changedAgain' in item && item.changedAgain)).toMatchObject([
      null,
      null,
      null,
    ]);
    const plans = await plansOf(sqlite, 'order by "closed_seq" desc');
    expect(plans).toEqual([expect.stringContaining('USING INDEX journal_lock (lock_key=?')]);
  });

  it('is not read for all its deletions by the search for a token that was replaced', async () => {
    const { desk, manager, sqlite } = await openNoted();
    const { accessToken } = (await desk.service.getSubscriber({ params: { id: 1 }, query: {} })).data;
    await manager.api.regenerateToken({ params: { id: 1 } });
    await manager.bff.getPreviousToken({ body: { accessToken } });
    const plans = await plansOf(sqlite, '"seq" >= ?');
    expect(plans).toEqual([expect.stringContaining('USING INDEX journal_lock (lock_key=?')]);
  });
});
