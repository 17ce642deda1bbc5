import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const pages = { none: 1, plenty: 1_000_000 };

/** A service whose disk can be full: SQLite takes no more pages than it is allowed, and says the same then. */
async function arrange() {
  const file = join(temporaryFolder(), 'x.sqlite');
  const db = await openDatabase<ServiceTables>(
    { file },
    { name: 'service', migrations: serviceMigrations, fill: async () => {} },
  );
  onTestFinished(() => db.destroy());
  const service = await startService({ db });
  const allow = (most: number) => sql`PRAGMA max_page_count = ${sql.lit(most)}`.execute(db);
  const names = async () =>
    (await service.client.listSubscribers({ query: { SortBy: 'username', PageSize: 200 } })).data.items.map(
      ({ username }) => username,
    );
  return { ...service, allow, names };
}

const ways: [string, (username: string) => Record<string, string>][] = [
  ['', () => ({})],
  [' and comes with a key', (username) => ({ [changeHeaders.key]: `a-key-for-a-full-disk-${username}` })],
];

test.each(ways)(
  'a change that the disk has no room for%s is refused, and done when there is some again',
  async (_, headersOf) => {
    const { send, allow, names, log } = await arrange();
    const create = (username: string) =>
      send('POST', '/subscribers', {
        body: { ...anna, username, note: 'x'.repeat(2000) },
        headers: headersOf(username),
      });
    await allow(pages.none);
    // SQLite first fills the pages that the file already has.
    const { done, full, last } = await fillUp(create);
    expect(await problemOf(full)).toMatchObject({ problem: '503 database-unavailable' });
    expect(full.headers.get('Retry-After')).toBe('30');
    expect(log.map(({ event }) => event)).toContain('database-unavailable');
    expect(await names()).toEqual(done);
    await allow(pages.plenty);
    expect((await create(last)).status).toBe(200);
    expect(await names()).toEqual([...done, last]);
  },
);

/** Creates until the answer is no 200. */
async function fillUp(create: (username: string) => Promise<Response>) {
  const done: string[] = [];
  for (let round = 100; round < 300; round += 1) {
    const last = `person-${round}`;
    const full = await create(last);
    if (full.status !== 200) return { done, full, last };
    done.push(last);
  }
  throw new Error('The disk does not get full.');
}
