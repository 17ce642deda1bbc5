import type { Kysely } from 'kysely';
import { browserLabel } from '../bff/auth/sessions.ts';
import {
  createSessionUses,
  endSession,
  prepareFindSession,
  sessionLife,
  startSession,
} from '../bff/auth/session-store.ts';
import type { BffTables } from '../bff/schema.ts';
import { addStaff, findStaff } from '../bff/staff/store.ts';
import { roles, type Role } from '../contract/bff/permission.ts';
import { sha256, toBase64url } from '../lib/crypto.ts';
import { colleague, names } from './settings.ts';

/** Any password is right for any account, because everything here is made up. */
export const passwords = { hash: async () => 'none', verify: async () => true };

interface Parts {
  db: Kysely<BffTables>;
  clock: () => number;
  random: (bytes: number) => Uint8Array;
}

/** Creates the accounts. */
export async function hire(parts: Parts): Promise<void> {
  const staff = [
    ...roles.map((role) => ({ name: names[role], role })),
    { name: colleague, role: 'support' as const },
  ];
  for (const one of staff)
    await addStaff({ ...parts, passwords }, { ...one, password: toBase64url(parts.random(32)) });
}

/** Starts and ends sessions without a password, and knows whose they are. */
export function createSignIn({ db, clock, random, userAgent }: Parts & { userAgent: string }) {
  const find = prepareFindSession(db, createSessionUses(db));
  return {
    /**
     * @param previous the session that this one replaces
     * @returns the id of the session
     */
    async start(name: string, previous: string | null = null): Promise<string> {
      const staff = await findStaff(db, name);
      if (!staff) throw new Error(`${name} has no account.`);
      const id = toBase64url(random(32));
      await startSession(db, {
        key: await sha256(id),
        publicId: toBase64url(random(16)),
        browser: browserLabel(userAgent),
        previous: previous === null ? null : await sha256(previous),
        staff,
        now: clock(),
      });
      return id;
    },
    /** Moves the beginning of a session. It cannot begin in the past, because that would end the sessions of now. */
    async moveTo(id: string, time: number): Promise<void> {
      const begun = { seen_at: time, created_at: time, proved_at: time };
      await db
        .updateTable('sessions')
        .set(begun)
        .where('key', '=', await sha256(id))
        .execute();
    },
    end: async (id: string) => endSession(db, await sha256(id)),
    /** @returns null where nobody is signed in by this session */
    roleOf: async (id: string | null): Promise<Role | null> =>
      id === null ? null : ((await find(await sha256(id), clock(), true))?.role ?? null),
  };
}

/** Keeps sessions alive whose clock is about to be moved. */
export async function moveSessions(db: Kysely<BffTables>, now: number, ms: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set((eb) => ({
      seen_at: eb('seen_at', '+', ms),
      created_at: eb('created_at', '+', ms),
      proved_at: eb('proved_at', '+', ms),
    }))
    .where('seen_at', '>', now - sessionLife.idle)
    .execute();
}
