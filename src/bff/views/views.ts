import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import { may } from '../../contract/bff/permission.ts';
import {
  ViewQuery as StoredQuery,
  type AddViewBody,
  type ChangeViewBody,
  type ViewQuery,
  viewLimits,
  type View,
} from '../../contract/bff/view.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import { lockRow } from '../lock-row.ts';
import type { BffDeps } from '../deps.ts';
import { checkPermission } from '../http/guards.ts';
import type { BffHandlers } from '../http/router.ts';
import type { BffTables, ViewTable } from '../schema.ts';
import { nameKey } from '../staff/name-key.ts';
import { holdShared } from '../staff/store.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';

export function createViewRoutes(views: Views) {
  return {
    listViews: async (_, _context, user) => await views.list(user),
    addView: async ({ body }, _, user) => await views.add(user, body),
    changeView: async ({ params, body }, _, user) => await views.change(user, params.id, body),
    async deleteView({ params }, _, user) {
      await views.delete(user, params.id);
    },
  } satisfies Partial<BffHandlers>;
}

/** A view as it is answered, its query written as on the wire. */
type WireView = z.input<typeof View>;
type NewView = z.output<typeof AddViewBody>;
type ViewChange = z.output<typeof ChangeViewBody>;

type Owner = Pick<CurrentUser, 'staffId' | 'role'>;

export type Views = ReturnType<typeof createViews>;

/** The owner of what is shared. No account has this id: they are base64url. */
const everybody = '*';

/**
 * A user's own views and those that are shared. Changes by one user wait for each other, and so do those by managers, who
 * can change what is shared; so two browsers at once lose none.
 */
export function createViews({ db, random }: Pick<BffDeps, 'db' | 'random'>) {
  const serialize = <T>(user: Owner, work: (tx: Transaction<BffTables>) => Promise<T>) =>
    db.transaction().execute(async (tx) => {
      await holdViews(tx, user);
      return work(tx);
    });
  return {
    /** The shared views, then the user's own. */
    async list(user: Owner) {
      const [shared, own] = [await readViews(db, everybody), await readViews(db, staffIdOf(user))];
      return [...shared, ...own].map(asView);
    },
    /** @throws {Problem} `invalid-input` if the name is taken or there are too many views; `not-allowed` */
    add: (user: Owner, { name, query, shared = false, hidden = null, exported = null }: NewView) =>
      serialize(user, async (tx) => {
        if (shared) checkPermission(user.role, 'shareViews');
        const owner = shared ? everybody : staffIdOf(user);
        const present = await readViews(tx, owner);
        refuseMore(present, owner);
        refuseTaken(present, name, owner);
        const row = {
          owner,
          id: toBase64url(random(16)),
          place: placeAfter(present),
          name,
          query: asText(query),
          hidden,
          exported,
        };
        await tx.insertInto('views').values(row).execute();
        return asView(row);
      }),
    /** @throws {Problem} `no-such-view`; `invalid-input` as for `add`; `not-allowed` */
    change: (user: Owner, id: string, change: ViewChange) =>
      serialize(user, (tx) => changeView(tx, user, id, change)),
    /** @throws {Problem} `no-such-view`; `not-allowed` */
    delete: (user: Owner, id: string) =>
      serialize(user, async (tx) => {
        const { owner } = await findView(tx, user, id);
        await tx.deleteFrom('views').where('owner', '=', owner).where('id', '=', id).execute();
      }),
  };
}

async function changeView(
  tx: Transaction<BffTables>,
  user: Owner,
  id: string,
  { name, query, shared, place, hidden, exported }: ViewChange,
): Promise<WireView> {
  const before = await findView(tx, user, id);
  if (shared === true) checkPermission(user.role, 'shareViews');
  const owner = shared === undefined ? before.owner : shared ? everybody : staffIdOf(user);
  const others = (await readViews(tx, owner)).filter((one) => one.id !== id);
  const after = {
    ...before,
    owner,
    name: name ?? before.name,
    query: query === undefined ? before.query : asText(query),
    hidden: hidden === undefined ? before.hidden : hidden,
    exported: exported === undefined ? before.exported : exported,
  };
  if (owner !== before.owner) {
    refuseMore(others, owner);
    after.place = placeAfter(others);
  }
  refuseTaken(others, after.name, owner);
  await tx.updateTable('views').set(after).where('owner', '=', before.owner).where('id', '=', id).execute();
  if (place !== undefined) await writePlaces(tx, others.toSpliced(place, 0, after));
  return asView(after);
}

/** One of the user's own views, or of those that are shared. */
async function findView(tx: Transaction<BffTables>, user: Owner, id: string): Promise<ViewTable> {
  const view = await tx
    .selectFrom('views')
    .selectAll()
    .where('owner', 'in', [everybody, staffIdOf(user)])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!view) throw noSuchView();
  if (view.owner === everybody) checkPermission(user.role, 'shareViews');
  return view;
}

const asText = (query: ViewQuery) => JSON.stringify(z.encode(StoredQuery, query));

// What was written passed the contract's schema, and only this file writes it.
const asView = ({ owner, id, name, query, hidden, exported }: ViewTable): WireView => ({
  id,
  name,
  query: JSON.parse(query) as WireView['query'],
  shared: owner === everybody,
  ...(hidden !== null && { hidden }),
  ...(exported !== null && { exported }),
});

const placeAfter = (views: readonly ViewTable[]) => (views.at(-1)?.place ?? -1) + 1;

function refuseTaken(views: readonly ViewTable[], name: string, owner: string): void {
  if (!views.some((view) => nameKey(view.name) === nameKey(name))) return;
  const there = owner === everybody ? 'There is already a shared view' : 'You already have a view';
  throw invalidField('name', `${there} with this name. Choose another name.`);
}

const noSuchView = () =>
  new Problem('no-such-view', 'This view does not exist. It may have been deleted. Reload your views.');

/** @param views those that the owner has already */
function refuseMore(views: readonly ViewTable[], owner: string): void {
  const isShared = owner === everybody;
  const limit = isShared ? viewLimits.shared : viewLimits.views;
  if (views.length < limit) return;
  const there = isShared ? `There are ${limit} shared views` : `You have ${limit} views`;
  throw invalidField('body', `${there}, which is the limit. Delete one first.`);
}

type ReadsViews = Pick<Transaction<BffTables>, 'selectFrom'>;

/** An owner's views in their order. */
async function readViews(db: ReadsViews, owner: string): Promise<ViewTable[]> {
  return db
    .selectFrom('views')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('place')
    .orderBy('id')
    .execute();
}

/**
 * Makes other changes of these views wait until this transaction ends, by a write to an account that changes nothing: the
 * user's own and, before it, for what is shared, the oldest. In a tab, which has no account, there is one writer.
 */
async function holdViews(tx: Transaction<BffTables>, user: Owner): Promise<void> {
  if (may(user.role, 'shareViews')) await holdShared(tx);
  await lockRow(tx, 'staff', { id: staffIdOf(user) });
}

/** Numbers the views anew by their order in the list. */
async function writePlaces(tx: Transaction<BffTables>, views: readonly ViewTable[]): Promise<void> {
  for (const [place, view] of views.entries())
    if (view.place !== place)
      await tx
        .updateTable('views')
        .set({ place })
        .where('owner', '=', view.owner)
        .where('id', '=', view.id)
        .execute();
}
