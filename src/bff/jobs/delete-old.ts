import { jobLimits } from '../../contract/bff/job.ts';
import { deleteRows } from './store.ts';
import type { BffDb } from '../schema.ts';

/** Time that a file waits for somebody to make a job of it, and life of a preview nobody can start, in ms. */
const day = 24 * 60 * 60_000;

/**
 * Deletes old jobs with their rows, previews that were discarded or change nothing, and files that nobody has made a job of,
 * or whose job does not need them any more. Others have their turn between its parts.
 */
export async function deleteOldJobs(
  db: BffDb,
  now: number,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  // As if they were discarded long ago: nobody can start, repeat or undo one that has lost rows, and if the server ends before
  // all are deleted, the next time finds it again.
  await db
    .updateTable('jobs')
    .set({ state: 'stopped', pause: null, preview: null, started_at: null, ended_at: 0 })
    .where('lease_until', '<', now)
    .where((row) =>
      row.or([
        row('created_at', '<', now - jobLimits.life),
        row.and([row('started_at', 'is', null), row('ended_at', '<', now - day)]),
        row.and([
          row('state', '=', 'ready'),
          row('counts', 'like', '{"change":0,%'),
          row('created_at', '<', now - day),
        ]),
      ]),
    )
    .where('state', 'not in', ['preparing', 'running'])
    .where('starts_at', 'is', null)
    .execute();
  for (const { id } of await db.selectFrom('jobs').select('id').where('ended_at', '=', 0).execute()) {
    while (await deleteRows(db, id)) await wait(0);
    await wait(0);
    await db.deleteFrom('jobs').where('id', '=', id).execute();
  }
  const jobs = db.selectFrom('jobs').select('id');
  await db
    .updateTable('imports')
    .set(givenUp)
    .where('id', 'not in', jobs.where('state', '=', 'preparing'))
    // From its preview, a job may be prepared again.
    .where((row) =>
      row.or([row('created_at', '<', now - day), row('id', 'in', jobs.where('state', '<>', 'ready'))]),
    )
    .execute();
  const old = db.selectFrom('imports').select('id').where('staff_id', '=', givenUp.staff_id);
  for (const { id } of await old.execute()) {
    while (await deleteParts(db, id)) await wait(0);
    await db.deleteFrom('imports').where('id', '=', id).execute();
  }
}

/** A file that nobody can make a job of any more. The maintenance deletes it in portions. */
export const givenUp = { staff_id: '' } as const;
export const isGivenUp = ({ staff_id: id }: { staff_id: string }): boolean => id === givenUp.staff_id;

/** Parts of a file, of up to 64 KiB each, that are deleted in 20 ms. */
const partsAtOnce = 64;

/** Deletes the next parts of a file. @returns false if none are left */
async function deleteParts(db: BffDb, id: string): Promise<boolean> {
  const parts = db.selectFrom('import_parts').select('first').where('import_id', '=', id);
  const deleted = db.deleteFrom('import_parts').where('import_id', '=', id);
  const next = parts.orderBy('first').limit(partsAtOnce);
  const { numDeletedRows } = await deleted.where('first', 'in', next).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
