import { sql, type ExpressionBuilder, type InferResult, type Transaction } from 'kysely';
import type { Role } from '../../contract/bff/permission.ts';
import { isOfOtherProvider } from './openid/issuer.ts';
import { isProof } from '../current-user.ts';
import { noRole, type BffTables, type StaffTable, type BffDb } from '../schema.ts';

/** The end of a one-time password that was used: before any clock, however it is set. */
export const usedUp = 0;

/** Life of a session, in ms: without a request, and in all. */
export const sessionLife = { idle: 30 * 60_000, whole: 8 * 60 * 60_000 } as const;

/** Most sessions of an account. A script made thousands in a day, and each look at their list took 130 ms. */
export const mostSessions = 200;

/**
 * No session that lives was begun or used after this. A clock that was years ahead for a minute must not give sessions
 * of years; those of replicas differ a little.
 */
const notAfter = (now: number) => now + 60 * 60_000;

/** Which sessions have not expired. */
export const isLive = (now: number) => (row: ExpressionBuilder<BffTables, 'sessions'>) =>
  row.and([
    row('seen_at', '>', now - sessionLife.idle),
    row('created_at', '>', now - sessionLife.whole),
    row('seen_at', '<=', notAfter(now)),
    row('created_at', '<=', notAfter(now)),
  ]);

/** A session's use is noted this often at most, in ms: a read must not cost a write each time. */
const noteEvery = 60_000;

interface LiveSession {
  staffId: string;
  name: string;
  role: Role;
  mustChangePassword: boolean;
  singleSignOn: boolean;
  isProven: boolean;
  /** When the OpenID provider last confirmed it; null where it cannot be asked. */
  checkedAt: number | null;
}

/** @param isUse whether the request counts as a use of the session */
type FindSession = (key: string, now: number, isUse: boolean) => Promise<LiveSession | null>;

/**
 * Finds the account of a live session, or null. A disabled account has none from its next request on, nor has one of
 * another OpenID provider than the configured one. Every request asks, so the SQL is compiled once.
 *
 * @param provider the issuer of the configured provider
 */
export function prepareFindSession(db: BffDb, uses: SessionUses, provider?: string): FindSession {
  const { idle, whole } = sessionLife;
  const query = selectSession(db).compile();
  return async (key, now, isUse) => {
    const { rows } = await db.executeQuery<FoundSession>({
      ...query,
      parameters: [key, now - idle, now - whole, notAfter(now), notAfter(now)],
    });
    const [found] = rows;
    if (!found || isOfOtherProvider(found.issuer, provider)) return null;
    if (isUse && found.seenAt <= now - noteEvery) uses.note(key, now);
    await uses.write(now);
    const { staffId, name, role, mustChange, issuer, provedAt, checkedAt } = found;
    if (role === noRole) return null;
    const [mustChangePassword, singleSignOn] = [mustChange !== 0, issuer !== null];
    const isProven = isProof(provedAt, now);
    return { staffId, name, role, mustChangePassword, singleSignOn, isProven, checkedAt };
  };
}

type FoundSession = InferResult<ReturnType<typeof selectSession>>[number];

/** Its parameters are the key, when the last use and the start are too old, and when they are in the future. */
function selectSession(db: BffDb) {
  return db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .select(['staff.id as staffId', 'staff.name', 'staff.role', 'sessions.seen_at as seenAt'])
    .select(['staff.must_change_password as mustChange', 'staff.issuer', 'sessions.checked_at as checkedAt'])
    .select('sessions.proved_at as provedAt')
    .where('sessions.key', '=', '')
    .where('sessions.seen_at', '>', 0)
    .where('sessions.created_at', '>', 0)
    .where('sessions.seen_at', '<=', 0)
    .where('sessions.created_at', '<=', 0)
    .where('staff.disabled', '=', sql.lit(0))
    .where('staff.role', '<>', sql.lit(noRole));
}

/** An account as it was when its password was checked. */
type KnownStaff = Pick<StaffTable, 'id' | 'password_hash' | 'must_change_password' | 'password_expires_at'>;

/**
 * Starts a session that replaces the browser's previous one, and deletes all expired ones and those that are too many.
 * A one-time password is used up by it.
 *
 * @param start.finish called at the end of the transaction, which holds the account; if it throws, nothing has happened
 * @returns false if the account was disabled, lost its role or its password was changed after it was read, or its
 * one-time password was used
 */
export async function startSession(
  db: BffDb,
  start: Omit<NewSession, 'staffId'> & {
    previous: string | null;
    staff: KnownStaff;
    finish?: (tx: Transaction<BffTables>) => Promise<void>;
  },
): Promise<boolean> {
  const { previous, staff, finish, ...session } = start;
  const { now } = session;
  return db.transaction().execute(async (tx) => {
    // First, because it locks the account: its sessions are then ended before this or after it, never in between.
    const { password_expires_at: end } = staff;
    const signedIn = await tx
      .updateTable('staff')
      .set({
        last_sign_in_at: now,
        ...(staff.must_change_password !== 0 && { password_expires_at: usedUp }),
      })
      .where('id', '=', staff.id)
      .where('password_hash', '=', staff.password_hash)
      .where('password_expires_at', end === null ? 'is' : '=', end)
      .where('disabled', '=', 0)
      .where('role', '<>', noRole)
      .executeTakeFirst();
    if (signedIn.numUpdatedRows === 0n) return false;
    if (previous !== null) await endSession(tx, previous);
    await endSurplus(tx, staff.id);
    await insertSession(tx, { ...session, staffId: staff.id });
    await finish?.(tx);
    return true;
  });
}

/** Ends the sessions of an account that were not used for longest, so that there is room for one more. */
async function endSurplus(tx: Transaction<BffTables>, staffId: string): Promise<void> {
  const own = tx.selectFrom('sessions').select('key').where('staff_id', '=', staffId);
  const others = await own.orderBy('seen_at', 'desc').orderBy('key').execute();
  const surplus = others.slice(mostSessions - 1).map(({ key }) => key);
  if (surplus.length > 0) await tx.deleteFrom('sessions').where('key', 'in', surplus).execute();
}

export interface NewSession {
  /** The SHA-256 of the id in the cookie. */
  key: string;
  /** The ID that its owner sees. */
  publicId: string;
  staffId: string;
  /** By `browserLabel`. */
  browser: string;
  now: number;
  provided?: Provided;
}

/** Values of a session that come from the OpenID provider. */
export interface Provided {
  /** The key of the session there, where the provider numbers them. */
  providerSession: string | null;
  /** Encrypted before it is stored; null where the provider gives none. */
  refreshToken: string | null;
  /** When the user last signed in there, in ms; null where the provider does not say. */
  signedInAt: number | null;
}

export async function insertSession(
  db: BffDb,
  { key, publicId, staffId, browser, now, provided }: NewSession,
): Promise<void> {
  const row = {
    key,
    public_id: publicId,
    staff_id: staffId,
    browser,
    created_at: now,
    seen_at: now,
    proved_at: provided ? provided.signedInAt : now,
    provider_session: provided?.providerSession ?? null,
    refresh_token: provided?.refreshToken ?? null,
    checked_at: provided?.refreshToken ? now : null,
  };
  await db.insertInto('sessions').values(row).execute();
}

/** Gives a session another key, under which it goes on. @returns false if it has ended */
export async function renewSession(db: BffDb, key: string, next: string): Promise<boolean> {
  const own = db.updateTable('sessions').set({ key: next }).where('key', '=', key);
  return (await own.executeTakeFirst()).numUpdatedRows === 1n;
}

/**
 * Ends all sessions of an account but the one with the key `but`. Without one, jobs that run or are to start in its name pause
 * until somebody continues them.
 *
 * @returns how many of the sessions had not expired
 */
export async function endSessions(db: BffDb, staffId: string, now: number, but = ''): Promise<number> {
  const ended = await db
    .deleteFrom('sessions')
    .where('staff_id', '=', staffId)
    .where('key', '<>', but)
    .returning(['seen_at', 'created_at'])
    .execute();
  if (but === '') await pauseJobs(db, staffId);
  const live = ended.filter(
    (row) => row.seen_at > now - sessionLife.idle && row.created_at > now - sessionLife.whole,
  );
  return live.length;
}

/** Pauses jobs that run or are to start, everybody's or those in the name of one account. */
export async function pauseJobs(db: BffDb, staffId?: string): Promise<void> {
  const jobs = db
    .updateTable('jobs')
    .set({ state: 'paused', pause: 'rights', starts_at: null })
    .where((row) => row.or([row('state', 'in', ['running', 'paused']), row('starts_at', 'is not', null)]));
  await (staffId === undefined ? jobs : jobs.where('staff_id', '=', staffId)).execute();
}

/** Deletes those that have expired. */
export async function deleteOldSessions(db: BffDb, now: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((row) => row.not(isLive(now)(row)))
    .execute();
}

export async function endSession(db: BffDb, key: string): Promise<void> {
  await db.deleteFrom('sessions').where('key', '=', key).execute();
}

/** The uses of sessions are written this often at most, in ms. */
const writeEvery = 1000;

interface SessionUses {
  /** Notes that a session is in use. */
  note(key: string, now: number): void;
  /** Writes the noted uses, unless the last write is too recent. */
  write(now: number): Promise<void>;
}

/**
 * When sessions were last used, written in batches: a durable write to a SQLite file blocks all others for some
 * milliseconds, and ten thousand signed-in users would cause hundreds of writes a second.
 */
export function createSessionUses(db: BffDb): SessionUses {
  const noted = new Set<string>();
  let writtenAt = -Infinity;
  let latest = 0;
  return {
    note(key, now) {
      noted.add(key);
      latest = now;
    },
    async write(now) {
      if (noted.size === 0 || now - writtenAt < writeEvery) return;
      writtenAt = now;
      const keys = [...noted];
      noted.clear();
      const update = db
        .updateTable('sessions')
        .set({ seen_at: latest })
        .where('key', 'in', keys)
        // Another server may have written a later use meanwhile.
        .where('seen_at', '<', latest);
      // A failed write must not refuse the request. The next request notes the session again.
      await update.execute().catch(() => undefined);
    },
  };
}
