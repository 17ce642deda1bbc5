import type { Kysely } from 'kysely';
import type { Bundle, BundleList } from '../../contract/bff/bundle.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffHandlers } from '../http/router.ts';
import type { BffTables } from '../schema.ts';

type Db = Kysely<BffTables>;

/** The names of bundles, which the service knows by number alone. */
export function createBundleRoutes({ db }: { db: Db }) {
  return {
    listBundles: async () => await readBundles(db),
    async saveBundles({ body: { bundles, version } }) {
      const saved = await db
        .updateTable('bundle_list')
        .set({ bundles: JSON.stringify(bundles), version: version + 1 })
        .where('version', '=', version)
        .returning('version')
        .executeTakeFirst();
      if (saved) return { bundles, version: saved.version };
      throw new Problem(
        'changed-meanwhile',
        'Someone else has changed the bundles since you opened the page. Nothing was saved. Try again with their list, which is shown now.',
      );
    },
  } satisfies Partial<BffHandlers>;
}

async function readBundles(db: Db): Promise<BundleList> {
  const row = await db.selectFrom('bundle_list').selectAll().executeTakeFirstOrThrow();
  return { bundles: JSON.parse(row.bundles), version: row.version };
}

/** Names some of the bundles of made-up subscribers, unless somebody has named any. */
export async function nameSampleBundles(db: Db): Promise<void> {
  const bundles: Bundle[] = sampleNames.map(([number, name, isSold = true]) => ({ number, name, isSold }));
  await db
    .updateTable('bundle_list')
    .set({ bundles: JSON.stringify(bundles), version: 1 })
    .where('version', '=', 0)
    .execute();
}

/** Those of `src/service/samples/subscriber.ts`, but for some: callers ask for bundles that nobody has named, too. */
const sampleNames: readonly [number: number, name: string, isSold?: boolean][] = [
  [1, 'Basic'],
  [2, 'News'],
  [3, 'Sports'],
  [4, 'Movies'],
  [5, 'Kids'],
  [7, 'Documentaries'],
  [8, 'Music'],
  [10, 'Nordic'],
  [12, 'Sports Plus'],
  [15, 'Series'],
  [21, '4K'],
  [30, 'Classic Cinema', false],
];
