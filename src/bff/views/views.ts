import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import { ViewQuery, viewLimits, type View } from '../../contract/bff/view.ts';
import type { ChangeViewBody } from '../../contract/bff/view-bodies.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import { invalidField, Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import type { CurrentUser } from '../request-context.ts';
import { noContent, type BffHandlers } from '../router.ts';
import type { BffTables, ViewTable } from '../schema.ts';
import { nameKey } from '../staff/name-key.ts';

export function createViewRoutes(views: Views) {
  return {
    listViews: async (_, _context, user) => Response.json(await views.list(user)),
    addView: async ({ body }, _, user) => Response.json(await views.add(user, body)),
    changeView: async ({ params, body }, _, user) => Response.json(await views.change(user, params.id, body)),
    async deleteView({ params }, _, user) {
      await views.delete(user, params.id);
      return noContent();
    },
  } satisfies Partial<BffHandlers>;
}

/** A view as it is answered, its query written as on the wire. */
type WireView = z.input<typeof View>;

type Owner = Pick<CurrentUser, 'staffId'>;

export interface Views {
  list(user: Owner): Promise<WireView[]>;
  /** @throws {Refusal} `invalid-input` if the name is taken or there are too many views */
  add(user: Owner, view: { name: string; query: ViewQuery }): Promise<WireView>;
  /** @throws {Refusal} `no-such-view`; `invalid-input` if the name is taken */
  change(user: Owner, id: string, change: ChangeViewBody): Promise<WireView>;
  /** @throws {Refusal} `no-such-view` */
  delete(user: Owner, id: string): Promise<void>;
}

/** A user's own views. Changes by one user wait for each other, so that two browsers at once lose none. */
export function createViews({ db, random }: Pick<BffDeps, 'db' | 'random'>): Views {
  const inTurn = <T>(user: Owner, work: (tx: Transaction<BffTables>, owner: string) => Promise<T>) =>
    db.transaction().execute(async (tx) => {
      const owner = ownerOf(user);
      await holdOwner(tx, owner);
      return work(tx, owner);
    });
  return {
    list: async (user) => (await readViews(db, ownerOf(user))).map(asView),
    add: (user, { name, query }) =>
      inTurn(user, async (tx, owner) => {
        const present = await readViews(tx, owner);
        if (present.length >= viewLimits.views) throw tooMany();
        refuseTaken(present, name);
        const row = {
          owner,
          id: toBase64url(random(16)),
          place: (present.at(-1)?.place ?? -1) + 1,
          name,
          query: JSON.stringify(z.encode(ViewQuery, query)),
        };
        await tx.insertInto('views').values(row).execute();
        return asView(row);
      }),
    change: (user, id, change) => inTurn(user, (tx, owner) => changeView(tx, owner, id, change)),
    delete: (user, id) =>
      inTurn(user, async (tx, owner) => {
        const gone = await tx
          .deleteFrom('views')
          .where('owner', '=', owner)
          .where('id', '=', id)
          .executeTakeFirst();
        if (gone.numDeletedRows === 0n) throw noSuchView();
      }),
  };
}

async function changeView(
  tx: Transaction<BffTables>,
  owner: string,
  id: string,
  { name, place }: ChangeViewBody,
): Promise<WireView> {
  const present = await readViews(tx, owner);
  const view = present.find((one) => one.id === id);
  if (!view) throw noSuchView();
  const others = present.filter((one) => one !== view);
  if (name !== undefined) {
    refuseTaken(others, name);
    await tx.updateTable('views').set({ name }).where('owner', '=', owner).where('id', '=', id).execute();
  }
  if (place !== undefined) await writePlaces(tx, others.toSpliced(place, 0, view));
  return asView({ ...view, name: name ?? view.name });
}

/** In a tab there are no accounts, and one owner. */
const ownerOf = ({ staffId }: Owner) => staffId ?? 'tab';

// What was written passed the contract's schema, and only this file writes it.
const asView = ({ id, name, query }: ViewTable): WireView => ({
  id,
  name,
  query: JSON.parse(query) as WireView['query'],
});

function refuseTaken(views: readonly ViewTable[], name: string): void {
  if (!views.some((view) => nameKey(view.name) === nameKey(name))) return;
  throw invalidField('name', 'You already have a view with this name. Choose another name.');
}

const noSuchView = () =>
  new Refusal('no-such-view', 'This view does not exist. It may have been deleted. Reload your views.');

const tooMany = () =>
  invalidField('body', `You have ${viewLimits.views} views, which is the limit. Delete one first.`);

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
 * Makes other changes of this owner's views wait until this transaction ends, by a write to the account that changes
 * nothing. In a tab, which has no account, there is one writer.
 */
async function holdOwner(tx: Transaction<BffTables>, owner: string): Promise<void> {
  await tx
    .updateTable('staff')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', owner)
    .execute();
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
