import type { Kysely } from 'kysely';
import type { Transport } from '../bff/http/bff.ts';
import { sha256, toBase64url } from '../lib/crypto.ts';
import { addStaff, findStaff } from '../bff/staff/store.ts';
import { browserLabel } from '../bff/auth/browser-label.ts';
import { endSession, prepareFindSession, sessionLife, startSession } from '../bff/auth/session-store.ts';
import { createSessionUses } from '../bff/auth/session-store.ts';
import type { BffTables } from '../bff/schema.ts';
import { roles, type Role } from '../contract/bff/permission.ts';

/** The staff accounts of the demo. */
export const names = { viewer: 'Jonas', support: 'Ingrid', manager: 'Marit' } as const satisfies Record<
  Role,
  string
>;
/** The colleague who edits at the same time; never the user of the demo. */
export const colleague = 'Sigrid';

/** Any password is right for any account, because everything here is made up. */
export const passwords = { hash: async () => 'none', verify: async () => true };

interface Parts {
  db: Kysely<BffTables>;
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  /** The session of an earlier page load of this tab. */
  session: string | null;
  /** What the browser calls itself. */
  userAgent: string;
  /** Called when the user signs in or out. */
  onChange: (session: string | null) => void;
}

/** The accounts of the demo, and the session of this tab, which takes the place of a cookie. */
export function createPeople({ db, clock, random, session: kept, userAgent, onChange }: Parts) {
  let session = kept;
  const browser = browserLabel(userAgent);
  const find = prepareFindSession(db, createSessionUses(db));
  const ofOthers = new WeakMap<object, string>();
  const setSession = (id: string | null) => {
    session = id;
    onChange(id);
    return '';
  };
  const start = async (name: string, former: string | null) => {
    const staff = await findStaff(db, name);
    if (!staff) throw new Error(`${name} has no account.`);
    const id = toBase64url(random(32));
    const known = former === null ? null : await sha256(former);
    const session = { key: await sha256(id), publicId: toBase64url(random(16)), browser };
    await startSession(db, { ...session, former: known, staff, now: clock() });
    return id;
  };
  const transport: Transport = {
    kind: 'tab',
    userAgent,
    cookie: {
      read: (headers) => ofOthers.get(headers) ?? session,
      set: setSession,
      clear: () => setSession(null),
    },
  };
  return {
    transport,
    /** The signed-in user's. */
    role: async () =>
      session === null ? null : ((await find(await sha256(session), clock()))?.role ?? null),
    async hire() {
      const hire = { db, passwords, random, clock };
      for (const role of roles)
        await addStaff(hire, { name: names[role], role, password: toBase64url(random(32)) });
      await addStaff(hire, { name: colleague, role: 'support', password: toBase64url(random(32)) });
    },
    viewAs: async (role: Role) => void setSession(await start(names[role], session)),
    async endSession() {
      if (session !== null) await endSession(db, await sha256(session));
      setSession(null);
    },
    /** Signs somebody else in, now or at another time. */
    async signInOther(name: string, at?: number) {
      const id = await start(name, null);
      const key = await sha256(id);
      // Not begun then: that would end all sessions of now, as of a clock that was ahead.
      if (at !== undefined)
        await db
          .updateTable('sessions')
          .set({ seen_at: at, created_at: at })
          .where('key', '=', key)
          .execute();
      return {
        /** Makes a request theirs. */
        send: (request: Request) => {
          ofOthers.set(request.headers, id);
          return request;
        },
        signOut: () => endSession(db, key),
      };
    },
    /** Keeps sessions alive when the clock is going to be moved. */
    async extendSessions(ms: number) {
      const alive = clock() - sessionLife.idle;
      await db
        .updateTable('sessions')
        .set((eb) => ({ seen_at: eb('seen_at', '+', ms), created_at: eb('created_at', '+', ms) }))
        .where('seen_at', '>', alive)
        .execute();
    },
  };
}
