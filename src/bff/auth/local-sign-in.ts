import type { Credentials } from '../../contract/bff/api.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import { nameKey } from '../staff/name-key.ts';
import { findStaff } from '../staff/store.ts';
import type { StaffTable } from '../schema.ts';
import { wrongPassword, type Sessions } from '../middleware/session.ts';
import type { RequestContext } from '../request-context.ts';
import { createSignInRateLimit } from './sign-in-rate-limit.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { oneTimePasswordFault } from './one-time-password.ts';

/** Starts a session in the account that a name and a password open; returns the account and each `Set-Cookie`. */
export type LocalSignIn = (
  credentials: Credentials,
  context: RequestContext,
) => Promise<{ staff: StaffTable; cookies: string[] }>;

/**
 * Sign-in with an account of our own. A wrong name, a wrong password and a disabled account take equally long and get
 * the same answer, so that nobody can find out who has an account.
 */
export function createLocalSignIn(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'passwords' | 'log'> & {
    browsers: KnownBrowsers;
    sessions: Sessions;
  },
): LocalSignIn {
  const { db, clock, passwords, log, browsers, sessions } = deps;
  const rateLimit = createSignInRateLimit(deps);
  const decoy = createDecoy(deps);
  const inTurn = createSemaphore(mostAtOnce);
  const signIn: LocalSignIn = async (credentials, { request, address, requestId }) => {
    const account = nameKey(credentials.name);
    const browser = await browsers.find(request, account);
    const forget = await rateLimit.count({ account, address, browser }).catch((error: unknown) => {
      if (error instanceof Refusal) log('warn', 'sign-in-limited', { requestId });
      throw error;
    });
    const decoyHash = await decoy();
    const staff = await findStaff(db, credentials.name);
    // An account of single sign-on has no password: checking it takes as long as for an unknown name.
    const right = await passwords.verify(credentials.password, staff?.password_hash || decoyHash);
    if (!staff || !right || staff.disabled !== 0) {
      log('warn', 'sign-in-failed', { requestId });
      throw wrongPassword();
    }
    const fault = oneTimePasswordFault(staff, clock());
    if (fault !== null) {
      log('warn', 'sign-in-failed', { requestId, staffId: staff.id });
      throw new Refusal('password-expired', fault);
    }
    const session = await sessions.start(request, staff);
    await forget();
    log('info', 'signed-in', { requestId, staffId: staff.id });
    // A browser is not remembered yet if someone else has seen the password.
    const known = staff.must_change_password === 0 ? await browsers.remember(request, staff) : null;
    return { staff, cookies: known === null ? [session] : [session, known] };
  };
  return (credentials, context) => inTurn(() => signIn(credentials, context));
}

/**
 * Each sign-in writes several times, and a durable write to a SQLite file blocks all others for some milliseconds. A
 * few hundred at once would delay everybody by a second; their passwords are hashed in turn anyway.
 */
const mostAtOnce = 2;

/**
 * The hash of a password that nobody has, made once. Every sign-in waits for it, so that none takes longer than others.
 */
function createDecoy(deps: Pick<BffDeps, 'random' | 'passwords'>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return async () => {
    made ??= deps.passwords.hash(toBase64url(deps.random(24)));
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

/** Runs at most so many tasks at once; the others wait in the order they came. */
export function createSemaphore(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // Passed straight to the next in line, so that a new task cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
