import type { Bundle, BundleList } from '../../contract/bff/bundle.ts';
import { Problem } from '../../contract/http/problem.ts';
import { callFor } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { BffDb } from '../schema.ts';
import type { CallContext, Caller } from '../upstream/call.ts';

interface Deps {
  db: BffDb;
  caller: Caller;
}

/** The names of bundles: those of the service if it has any, else those that managers give them. */
export function createBundleRoutes({ db, caller }: Deps) {
  return {
    listBundles: (_, context, user) => readBundles({ db, caller }, callFor(context, user)),
    async saveBundles({ body: { bundles, version } }) {
      if (caller.listBundles)
        throw new Problem(
          'not-allowed',
          'The subscriber service names the bundles. Nothing was saved. Change them there.',
        );
      const saved = await writeBundles(db, bundles, version);
      if (saved) return { bundles, version: version + 1 };
      throw new Problem(
        'changed-meanwhile',
        'Someone else has changed the bundles since you opened the page. Nothing was saved. Try again with their list, which is shown now.',
      );
    },
  } satisfies Partial<BffHandlers>;
}

async function readBundles({ db, caller }: Deps, context: CallContext): Promise<BundleList> {
  if (caller.listBundles)
    return { bundles: await caller.listBundles(context), version: 0, fromService: true };
  const row = await db.selectFrom('bundle_list').selectAll().executeTakeFirst();
  return row ? { bundles: JSON.parse(row.bundles), version: row.version } : { bundles: [], version: 0 };
}

/** The names of bundles by their numbers. */
export async function readBundleNames(
  deps: Deps,
  context: CallContext,
): Promise<ReadonlyMap<number, string>> {
  const { bundles } = await readBundles(deps, context);
  return new Map(bundles.map(({ number, name }) => [number, name]));
}

/** Replaces the list of a version; the first one has none. @returns false if it is another version */
async function writeBundles(db: BffDb, bundles: readonly Bundle[], version: number): Promise<boolean> {
  const list = { bundles: JSON.stringify(bundles), version: version + 1 };
  const first = db.insertInto('bundle_list').values({ id: 1, ...list });
  const saved =
    version === 0
      ? first.onConflict((conflict) => conflict.doNothing()).returning('id')
      : db.updateTable('bundle_list').set(list).where('version', '=', version).returning('id');
  return (await saved.executeTakeFirst()) !== undefined;
}

/** Names some of the bundles of made-up subscribers, unless somebody has named any. */
export async function nameSampleBundles(db: BffDb): Promise<void> {
  const bundles = sampleNames.map(([number, name, isSold = true]) => ({ number, name, isSold }));
  await writeBundles(db, bundles, 0);
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
