import type { Credentials } from '../../contract/bff/api.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import { findStaff, nameKey } from '../staff/store.ts';
import type { StaffTable } from '../schema.ts';
import type { RequestContext } from '../request-context.ts';
import { createAttempts } from './sign-in-limits.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { createSemaphore } from './semaphore.ts';
import { wrongPassword } from './wrong-password.ts';

/** Finds the account that a name and a password open. */
export type LocalSignIn = (credentials: Credentials, context: RequestContext) => Promise<StaffTable>;

/**
 * Sign-in by the desk's own accounts. A wrong name, a wrong password and a disabled account take equally long and
 * are answered alike, so that nobody learns here who has an account.
 */
export function createLocalSignIn(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'passwords' | 'log'> & { browsers: KnownBrowsers },
): LocalSignIn {
  const { db, clock, passwords, log, browsers } = deps;
  const attempts = createAttempts(deps);
  const decoy = createDecoy(deps);
  const inTurn = createSemaphore(atOnce);
  const signIn: LocalSignIn = async (credentials, { request, address, requestId }) => {
    const account = nameKey(credentials.name);
    const browser = await browsers.find(request, account);
    const forget = await attempts.begin({ account, address, browser }).catch((error: unknown) => {
      if (error instanceof Refusal) log('warn', 'sign-in-limited', { requestId });
      throw error;
    });
    const nobody = await decoy();
    const staff = await findStaff(db, credentials.name);
    // An account of single sign-on has no password: it takes as long as one that is not there.
    const right = await passwords.verify(credentials.password, staff?.password_hash || nobody);
    if (!staff || !right || staff.disabled !== 0) {
      log('warn', 'sign-in-failed', { requestId });
      throw wrongPassword();
    }
    if (staff.password_expires_at !== null && staff.password_expires_at <= clock()) {
      log('warn', 'sign-in-failed', { requestId, staffId: staff.id });
      throw new Refusal('password-expired', 'The one-time password has expired. Ask a manager for another.');
    }
    await forget();
    log('info', 'signed-in', { requestId, staffId: staff.id });
    return staff;
  };
  return (credentials, context) => inTurn(() => signIn(credentials, context));
}

/**
 * Each sign-in writes several times, and a SQLite file that is written to durably holds up everybody for some
 * milliseconds. Begun all at once, a few hundred would be felt as a second; their passwords are hashed in turn anyway.
 */
const atOnce = 2;

/** The hash of a password that nobody has, made once. Every sign-in asks for it, or the first would tell. */
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
