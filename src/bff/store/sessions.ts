import type { Kysely } from 'kysely';
import type { Role } from '../../contract/permission.ts';
import type { DeskTables } from './schema.ts';

/** How long a session lives, in ms: without a request, and in all. */
export const sessionLife = { idle: 30 * 60_000, whole: 8 * 60 * 60_000 } as const;

/** A session's last use is written this often at most, in ms: reading must not cost a write each time. */
const touchEvery = 60_000;

export interface LiveSession {
  staffId: string;
  name: string;
  role: Role;
}

/** The account behind a live session, or null. Disabled accounts have none, from one request to the next. */
export async function findSession(
  db: Kysely<DeskTables>,
  key: string,
  now: number,
): Promise<LiveSession | null> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .select(['staff.id as staffId', 'staff.name', 'staff.role', 'sessions.seen_at as seenAt'])
    .where('sessions.key', '=', key)
    .where('sessions.seen_at', '>', now - sessionLife.idle)
    .where('sessions.created_at', '>', now - sessionLife.whole)
    .where('staff.disabled', '=', 0)
    .executeTakeFirst();
  if (!found) return null;
  if (found.seenAt <= now - touchEvery)
    await db.updateTable('sessions').set({ seen_at: now }).where('key', '=', key).execute();
  return { staffId: found.staffId, name: found.name, role: found.role };
}

/** Starts a session in the place of the browser's former one, and clears away what has run out. */
export async function startSession(
  db: Kysely<DeskTables>,
  start: { key: string; former: string | null; staffId: string; now: number },
): Promise<void> {
  const { key, former, staffId, now } = start;
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('sessions')
      .where((row) =>
        row.or([
          row('key', '=', former ?? ''),
          row('seen_at', '<=', now - sessionLife.idle),
          row('created_at', '<=', now - sessionLife.whole),
        ]),
      )
      .execute();
    await tx
      .insertInto('sessions')
      .values({ key, staff_id: staffId, created_at: now, seen_at: now })
      .execute();
  });
}

export async function endSession(db: Kysely<DeskTables>, key: string): Promise<void> {
  await db.deleteFrom('sessions').where('key', '=', key).execute();
}
