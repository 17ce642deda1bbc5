import type { Transaction } from 'kysely';
import { unattendedHeader } from '../../contract/bff/paths.ts';
import type { SecondFactorKind } from '../../contract/bff/second-factor.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestHeaders } from '../http/context.ts';
import { sha256 as sha256ByWebCrypto, toBase64url } from '../../lib/crypto.ts';
import { browserLabel } from './browser-label.ts';
import { createSessionCookie } from './cookies.ts';
import {
  createSessionUses,
  endSession,
  prepareFindSession,
  startSession,
  type KnownStaff,
  type NewSession,
  type Provided,
} from './session-store.ts';
import type { Revalidation } from './openid/revalidation.ts';
import type { SignIn, SignInRecord } from './sign-in-record.ts';
import type { BffTables } from '../schema.ts';
import type { CurrentUser } from '../current-user.ts';

export interface Sessions {
  /** False in a tab with a fixed user. */
  readonly canSignOut: boolean;
  /** @throws {Problem} `not-signed-in` */
  require(headers: RequestHeaders): Promise<CurrentUser>;
  /** Refuses a request with more than one session cookie. */
  checkCookie(headers: RequestHeaders): void;
  /** Refuses a sign-in that could not end in a session, before a password is looked at. */
  checkMayStart(headers: RequestHeaders): void;
  /**
   * Signs a browser in under a new id, ending the session it had; answers the `Set-Cookie`.
   *
   * @throws {Problem} `wrong-password` if the account was changed after it was read, and what `signIn.prove` throws
   */
  start(headers: RequestHeaders, staff: KnownStaff, signIn: SignIn): Promise<string>;
  /** Like `start`, for a browser whose cookie is not in the request; null if the account is disabled. */
  startFor(
    staff: KnownStaff,
    from: { headers: RequestHeaders; former: string | null },
    signIn: SignIn,
    provided?: Provided,
  ): Promise<IssuedSession | null>;
  /** The key of a request's session, live or not. */
  keyOf(headers: RequestHeaders): Promise<string | null>;
  /** A new id for the browser of a request; it opens nothing until it is stored. */
  issue(headers: RequestHeaders): Promise<IssuedSession>;
  /** Ends the session of a request; answers the `Set-Cookie`. */
  end(headers: RequestHeaders): Promise<string>;
  /** To be called every minute or so. */
  runMaintenance(): Promise<void>;
}

/** What to store of a new session, and the `Set-Cookie` that opens it then. */
type IssuedSession = Pick<NewSession, 'key' | 'publicId' | 'browser'> & { cookie: string };

/** Who is signed in: by a cookie, whose id is known here only as its SHA-256. */
export function createSessions(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'sha256' | 'transport'> & {
    signIns: Pick<SignInRecord, 'succeeded'>;
  },
  revalidation: Revalidation | null = null,
): Sessions {
  const { signIns, db, clock, random, sha256 = sha256ByWebCrypto, transport } = deps;
  if ('staff' in transport)
    return createTabSessions({
      staffId: null,
      ...transport.staff,
      mustChangePassword: false,
      singleSignOn: false,
    });
  const { cookie, userAgent = null } =
    'cookie' in transport ? transport : { cookie: createSessionCookie(transport.publicUrl) };
  const uses = createSessionUses(db);
  const findSession = prepareFindSession(db, uses);
  const keyOf = async (headers: RequestHeaders) => {
    const id = cookie.read(headers);
    return id === null ? null : sha256(id);
  };
  const issue = async (headers: RequestHeaders) => {
    const id = toBase64url(random(32));
    const publicId = toBase64url(random(16));
    const browser = browserLabel(userAgent ?? headers.get('User-Agent'));
    return { id, key: await sha256(id), publicId, browser, cookie: cookie.set(id) };
  };
  const find = async (headers: RequestHeaders) => {
    const id = cookie.read(headers);
    if (id === null) return null;
    const key = await sha256(id);
    const now = clock();
    const isUse = headers.get(unattendedHeader.name) === null;
    const found = await findSession(key, now, isUse);
    const checkedAt = found?.checkedAt ?? null;
    if (checkedAt === null || !revalidation?.isDue(checkedAt, now)) return found;
    await revalidation.confirm({ id, key, checkedAt });
    return findSession(key, clock(), isUse);
  };
  const startFor: Sessions['startFor'] = async (staff, { headers, former }, signIn, provided) => {
    const issued = await issue(headers);
    const token = provided?.refreshToken ?? null;
    const refreshToken = token === null ? null : ((await revalidation?.seal(issued.id, token)) ?? null);
    const own = provided && { provided: { ...provided, refreshToken } };
    const { key, publicId, browser } = issued;
    const { prove, ...done } = signIn;
    let secondFactor: SecondFactorKind | null = null;
    const start = {
      key,
      publicId,
      browser,
      former,
      staff,
      now: clock(),
      async prove(tx: Transaction<BffTables>) {
        secondFactor = (await prove?.(tx)) ?? null;
      },
      record: (tx: Transaction<BffTables>) => signIns.succeeded(tx, staff, { ...done, secondFactor }),
      ...own,
    };
    return (await startSession(db, start)) ? issued : null;
  };
  return {
    canSignOut: true,
    async require(headers) {
      const user = await find(headers);
      if (!user)
        throw new Problem(
          'not-signed-in',
          'You are not signed in, or your session has expired. Sign in to continue.',
        );
      return user;
    },
    checkCookie: (headers) => void cookie.read(headers),
    checkMayStart: (headers) => void cookie.read(headers),
    async start(headers, staff, signIn) {
      const given = await startFor(staff, { headers, former: await keyOf(headers) }, signIn);
      if (given === null) throw wrongPassword();
      return given.cookie;
    },
    startFor,
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
    startFor: async () => refuseInTab(),
    keyOf: async () => null,
    issue: async () => refuseInTab(),
    end: async () => refuseInTab(),
    runMaintenance: async () => undefined,
  };
}

function refuseInTab(): never {
  throw new Problem('not-allowed', 'You cannot sign in or out here. Continue as the user shown.');
}
