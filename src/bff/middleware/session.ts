import type { Transaction } from 'kysely';
import type { SecondFactorKind } from '../../contract/bff/second-factor.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { sha256 as sha256ByWebCrypto, toBase64url } from '../../lib/crypto.ts';
import { browserLabel } from '../auth/browser-label.ts';
import { createSessionCookie } from '../auth/cookies.ts';
import {
  createSessionUses,
  endSession,
  prepareFindSession,
  startSession,
  type KnownStaff,
  type NewSession,
  type Provided,
} from '../auth/session-store.ts';
import type { Revalidation } from '../auth/revalidation.ts';
import type { SignIn, SignInRecord } from '../auth/sign-in-record.ts';
import type { CurrentUser } from '../request-context.ts';
import type { BffTables } from '../schema.ts';

export interface Sessions {
  /** False in a tab with a fixed user. */
  readonly canSignOut: boolean;
  /** @throws {Refusal} `not-signed-in` */
  require(request: Request): Promise<CurrentUser>;
  /** Refuses a request with more than one session cookie. */
  checkCookie(request: Request): void;
  /** Refuses a sign-in that could not end in a session, before a password is looked at. */
  checkMayStart(request: Request): void;
  /**
   * Signs a browser in under a new id, ending the session it had; answers the `Set-Cookie`.
   *
   * @throws {Refusal} `wrong-password` if the account was changed after it was read, and what `signIn.prove` throws
   */
  start(request: Request, staff: KnownStaff, signIn: SignIn): Promise<string>;
  /** Like `start`, for a browser whose cookie is not in the request; null if the account is disabled. */
  startFor(
    staff: KnownStaff,
    from: { request: Request; former: string | null },
    signIn: SignIn,
    provided?: Provided,
  ): Promise<IssuedSession | null>;
  /** The key of a request's session, live or not. */
  keyOf(request: Request): Promise<string | null>;
  /** A new id for the browser of a request; it opens nothing until it is stored. */
  issue(request: Request): Promise<IssuedSession>;
  /** Ends the session of a request; answers the `Set-Cookie`. */
  end(request: Request): Promise<string>;
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
  const keyOf = async (request: Request) => {
    const id = cookie.read(request);
    return id === null ? null : sha256(id);
  };
  const issue = async (request: Request) => {
    const id = toBase64url(random(32));
    const publicId = toBase64url(random(16));
    const browser = browserLabel(userAgent ?? request.headers.get('User-Agent'));
    return { id, key: await sha256(id), publicId, browser, cookie: cookie.set(id) };
  };
  const find = async (request: Request) => {
    const id = cookie.read(request);
    if (id === null) return null;
    const key = await sha256(id);
    const now = clock();
    const found = await findSession(key, now);
    const checkedAt = found?.checkedAt ?? null;
    if (checkedAt === null || !revalidation?.isDue(checkedAt, now)) return found;
    await revalidation.confirm({ id, key, checkedAt });
    return findSession(key, clock());
  };
  const startFor: Sessions['startFor'] = async (staff, { request, former }, signIn, provided) => {
    const issued = await issue(request);
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
    async require(request) {
      const user = await find(request);
      if (!user)
        throw new Refusal(
          'not-signed-in',
          'You are not signed in, or your session has expired. Sign in to continue.',
        );
      return user;
    },
    checkCookie: (request) => void cookie.read(request),
    checkMayStart: (request) => void cookie.read(request),
    async start(request, staff, signIn) {
      const given = await startFor(staff, { request, former: await keyOf(request) }, signIn);
      if (given === null) throw wrongPassword();
      return given.cookie;
    },
    startFor,
    keyOf,
    issue,
    async end(request) {
      const key = await keyOf(request);
      if (key !== null) await endSession(db, key);
      return cookie.clear();
    },
    runMaintenance: () => uses.write(clock()),
  };
}

/** The one answer for a wrong name, a wrong password and a disabled account. */
export const wrongPassword = () =>
  new Refusal('wrong-password', 'Name or password is wrong. Check both and try again.');

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
  throw new Refusal('not-allowed', 'You cannot sign in or out here. Continue as the user shown.');
}
