import type { Transaction } from 'kysely';
import type { BffTables, ViewTable } from '../schema.ts';

type ReadsViews = Pick<Transaction<BffTables>, 'selectFrom'>;

/** An owner's views in their order. */
export async function readViews(db: ReadsViews, owner: string): Promise<ViewTable[]> {
  return db
    .selectFrom('views')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('place')
    .orderBy('id')
    .execute();
}

/**
 * Makes whoever else changes this owner's views wait until this transaction ends: writes to the account without
 * changing it. In a tab, which has no account, there is one writer.
 */
export async function holdOwner(tx: Transaction<BffTables>, owner: string): Promise<void> {
  await tx
    .updateTable('staff')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', owner)
    .execute();
}

/** Writes the places of views anew where they differ from the list's order. */
export async function writePlaces(tx: Transaction<BffTables>, views: readonly ViewTable[]): Promise<void> {
  for (const [place, view] of views.entries())
    if (view.place !== place)
      await tx
        .updateTable('views')
        .set({ place })
        .where('owner', '=', view.owner)
        .where('id', '=', view.id)
        .execute();
}
