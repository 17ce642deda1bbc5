import type { Transaction } from 'kysely';
import { unattendedHeader } from '../../contract/bff/paths.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import type { Spend } from '../http/budgets.ts';
import type { RequestHeaders } from '../http/context.ts';
import { sha256 as sha256ByWebCrypto, toBase64url } from '../../lib/crypto.ts';
import { createSessionCookie } from './cookies.ts';
import {
  createSessionUses,
  endSession,
  prepareFindSession,
  startSession,
  type Provided,
} from './session-store.ts';
import type { Revalidation } from './openid/revalidation.ts';
import type { BffTables, StaffTable } from '../schema.ts';
import type { CurrentUser } from '../current-user.ts';

export interface Sessions {
  /** False in a tab with a fixed user. */
  readonly canSignOut: boolean;
  /**
   * @param isUse whether it counts as a use of the session; by default as the request's header says
   * @throws {Problem} `not-signed-in`
   */
  require(headers: RequestHeaders, isUse?: boolean): Promise<CurrentUser>;
  /** Refuses a request with more than one session cookie. */
  checkCookie(headers: RequestHeaders): void;
  /** Refuses a sign-in where nobody signs in, before a password is looked at. */
  checkMayStart(): void;
  /**
   * Signs a browser in under a new id, ending the session it had; answers the `Set-Cookie` and the key.
   *
   * @param start.previous the key of the browser's session, where the request does not have its cookie
   * @param start.finish called at the end of the transaction, which holds the account
   * @returns null if the account was changed after it was read
   */
  start(staff: StaffTable, start: SessionStart): Promise<IssuedSession | null>;
  /** The key of a request's session, live or not. */
  keyOf(headers: RequestHeaders): Promise<string | null>;
  /** A new id; it opens nothing until its key is stored. */
  issue(): Promise<IssuedSession>;
  /** Ends the session of a request; answers the `Set-Cookie`. */
  end(headers: RequestHeaders): Promise<string>;
  /** To be called every minute or so. */
  runMaintenance(): Promise<void>;
}

interface SessionStart {
  headers: RequestHeaders;
  previous?: string | null;
  provided?: Provided;
  finish: (tx: Transaction<BffTables>) => Promise<void>;
}

/** The stored key of a session, and the `Set-Cookie` that opens it. */
interface IssuedSession {
  key: string;
  cookie: string;
}

/** Creates, reads and ends sessions: by a cookie, whose id is known here only as its SHA-256. */
export function createSessions(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'sha256' | 'transport' | 'singleSignOn'> & { spend: Spend },
  revalidation: Revalidation | null = null,
): Sessions {
  const { db, clock, random, sha256 = sha256ByWebCrypto, transport, spend } = deps;
  if ('staff' in transport)
    return createTabSessions({
      staffId: null,
      ...transport.staff,
      mustChangePassword: false,
      singleSignOn: false,
      isProven: true,
    });
  const { cookie, userAgent = null } =
    'cookie' in transport ? transport : { cookie: createSessionCookie(transport.publicUrl) };
  const uses = createSessionUses(db);
  const findSession = prepareFindSession(db, uses, deps.singleSignOn?.issuer);
  const keyOf = async (headers: RequestHeaders) => {
    const id = cookie.read(headers);
    return id === null ? null : sha256(id);
  };
  const issue = async () => {
    const id = toBase64url(random(32));
    return { id, key: await sha256(id), cookie: cookie.set(id) };
  };
  const find = async (headers: RequestHeaders, isUse: boolean) => {
    const id = cookie.read(headers);
    if (id === null) return null;
    const key = await sha256(id);
    const now = clock();
    const found = await findSession(key, now, isUse);
    const checkedAt = found?.checkedAt ?? null;
    if (checkedAt === null || !revalidation?.isDue(checkedAt, now)) return found;
    await revalidation.confirm({ id, key, checkedAt, staffId: found?.staffId ?? '' });
    return findSession(key, clock(), isUse);
  };
  const start: Sessions['start'] = async (staff, { headers, previous, provided, finish }) => {
    // Each sign-in is an entry of the journal, also of somebody who does nothing else.
    spend('signIn', staff.id);
    const { id, ...issued } = await issue();
    const token = provided?.refreshToken ?? null;
    const refreshToken = token === null ? null : ((await revalidation?.seal(id, token)) ?? null);
    const isStarted = await startSession(db, {
      key: issued.key,
      publicId: toBase64url(random(16)),
      browser: browserLabel(userAgent ?? headers.get('User-Agent')),
      ...(provided && { provided: { ...provided, refreshToken } }),
      previous: previous === undefined ? await keyOf(headers) : previous,
      staff,
      now: clock(),
      finish,
    });
    return isStarted ? issued : null;
  };
  return {
    canSignOut: true,
    async require(headers, isUse = headers.get(unattendedHeader.name) === null) {
      const user = await find(headers, isUse);
      if (!user)
        throw new Problem(
          'not-signed-in',
          'You are not signed in, or your session has expired. Sign in to continue.',
        );
      return user;
    },
    checkCookie: (headers) => void cookie.read(headers),
    checkMayStart: () => undefined,
    start,
    keyOf,
    issue,
    async end(headers) {
      const key = await keyOf(headers);
      if (key !== null) await endSession(db, key);
      return cookie.clear();
    },
    runMaintenance: () => uses.write(clock()),
  };
}

/** The one answer for a wrong name, a wrong password and a disabled account. */
export const wrongPassword = () =>
  new Problem('wrong-password', 'Name or password is wrong. Check both and try again.');

function createTabSessions(user: CurrentUser): Sessions {
  return {
    canSignOut: false,
    require: async () => user,
    checkCookie: () => undefined,
    checkMayStart: refuseInTab,
    start: async () => refuseInTab(),
    keyOf: async () => null,
    issue: async () => refuseInTab(),
    end: async () => refuseInTab(),
    runMaintenance: async () => undefined,
  };
}

function refuseInTab(): never {
  throw new Problem('not-allowed', 'You can’t sign in or out here. Continue as the user shown.');
}

/** The label of what no rule below knows. */
export const unknownBrowser = 'Unknown browser';

// The first that matches counts: most browsers also name those that they want to be taken for.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\w.]+ (Mobile\/\w+ )?Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biP(hone|od)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\b(Linux|X11)\b/, 'Linux'],
];

/**
 * “Firefox on Linux”, for people to recognise a browser of theirs. It is made of the words above alone: the header itself is
 * personal data, and strangers choose its text.
 */
export function browserLabel(userAgent: string | null): string {
  const nameIn = (table: typeof browsers) => table.find(([form]) => form.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return unknownBrowser;
  return system === undefined ? browser : `${browser} on ${system}`;
}
