import type { Transaction } from 'kysely';
import type { Credentials } from '../../contract/bff/credentials.ts';
import type { Role } from '../../contract/bff/permission.ts';
import { createQueue, type Queue, type QueueLimits } from '../../lib/queue.ts';
import { Problem } from '../../contract/http/problem.ts';
import { hashRanks, type BffDeps } from '../deps.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { nameKey } from '../staff/name-key.ts';
import { findStaff } from '../staff/store.ts';
import { noRole, type BffTables, type StaffTable } from '../schema.ts';
import { wrongPassword, type Sessions } from './sessions.ts';
import type { RequestContext } from '../http/context.ts';
import { createSignInRateLimit } from './sign-in-rate-limit.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { SecondFactors } from './second-factor.ts';
import type { SignInRecord } from './sign-in-record.ts';
import { oneTimePasswordFault } from './one-time-password.ts';

/** Starts a session in the account that a name and a password open; returns the account and each `Set-Cookie`. */
export type LocalSignIn = (
  credentials: Credentials,
  context: RequestContext,
) => Promise<{ staff: StaffTable & { role: Role }; cookies: string[] }>;

/**
 * Sign-in with an account of our own. A wrong name, a wrong password and a disabled account take equally long and get
 * the same answer, so that nobody can find out who has an account. Whether an account has a second factor, only who has
 * its password learns; the request is then sent again, with a code.
 */
export function createLocalSignIn(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'passwords' | 'log'> & {
    browsers: KnownBrowsers;
    sessions: Sessions;
    signIns: Pick<SignInRecord, 'failed'>;
    secondFactors: SecondFactors;
  },
): LocalSignIn {
  const { db, clock, passwords, log, browsers, sessions, signIns, secondFactors } = deps;
  const rateLimit = createSignInRateLimit(deps);
  const decoy = createDecoy(deps);
  const queues = createQueues();
  const logLimited = (requestId: string) => (error: unknown) => {
    // A database that fails refuses, too, and says so itself.
    if (error instanceof Problem && error.code === 'too-many-attempts')
      log('warn', 'sign-in-limited', { requestId });
    throw error;
  };

  async function signIn(credentials: Credentials, context: RequestContext, from: Origin, kind: Kind) {
    const { headers, requestId } = context;
    const forget = await rateLimit.count(from).catch(logLimited(requestId));
    const decoyHash = await decoy();
    const staff = await findStaff(db, credentials.name);
    // An account of single sign-on has no password: checking it takes as long as for an unknown name.
    const hash = staff?.password_hash || decoyHash;
    const right = await passwords.verify(credentials.password, hash, hashRanks[kind]);
    if (!staff || !right || staff.disabled !== 0 || staff.role === noRole) {
      await signIns.failed(staff, requestId);
      log('warn', 'sign-in-failed', { requestId });
      throw wrongPassword();
    }
    const fault = oneTimePasswordFault(staff, clock());
    if (fault !== null) {
      await signIns.failed(staff, requestId);
      log('warn', 'sign-in-failed', { requestId, staffId: staff.id });
      throw new Problem('password-expired', fault);
    }
    const second = await secondFactors.ask(staff.id, credentials, from).catch(logLimited(requestId));
    const way = {
      requestId,
      way: 'password',
      prove: (tx: Transaction<BffTables>) => second.use(tx),
    } as const;
    const session = await sessions.start(headers, staff, way).catch(async (error: unknown) => {
      if (error instanceof Problem && isWrongFactor(error.code)) {
        await signIns.failed(staff, requestId);
        log('warn', 'sign-in-failed', { requestId, staffId: staff.id });
      }
      throw error;
    });
    // Only now: the limits of the password hold until the second factor was right as well.
    await forget();
    await second.forget();
    log('info', 'signed-in', { requestId, staffId: staff.id });
    // A browser is not remembered yet if someone else has seen the password.
    const known = staff.must_change_password === 0 ? await browsers.remember(headers, staff) : null;
    const cookies = known === null ? [session] : [session, known];
    return { staff: { ...staff, role: staff.role }, cookies };
  }

  return async (credentials, context) => {
    const { headers, address, requestId, signal } = context;
    const account = nameKey(credentials.name);
    const from = { account, address, browser: await browsers.find(headers, account) };
    const failures = await rateLimit.check(from).catch(logLimited(requestId));
    const kind = from.browser !== null ? 'known' : failures === 0 ? 'fresh' : 'failing';
    return queues[kind].run(() => signIn(credentials, context, from, kind), signal());
  };
}

const isWrongFactor = (code: string) => code === 'wrong-code' || code === 'wrong-passkey';

type Origin = Parameters<ReturnType<typeof createSignInRateLimit>['check']>[0];
type Kind = keyof typeof signInQueues;

/**
 * How many sign-ins are looked at, and wait, at once; how long they wait, in ms. Each kind has its own: known browsers,
 * addresses from which nothing wrong was tried, and all others. Strangers who try passwords from many addresses can fill
 * only the queues of strangers, and after their first failures only the last one.
 *
 * Few run at once: each writes several times, and a durable write to a SQLite file blocks all others for some
 * milliseconds. Their passwords are hashed one after the other anyway.
 */
export const signInQueues = {
  known: { atOnce: 2, mostWaiting: 500, patience: 20_000 },
  fresh: { atOnce: 2, mostWaiting: 60, patience: 5_000 },
  failing: { atOnce: 1, mostWaiting: 20, patience: 5_000 },
};

function createQueues(): Readonly<Record<Kind, Queue>> {
  const { known, fresh, failing } = signInQueues;
  return { known: createOwn(known), fresh: createOwn(fresh), failing: createOwn(failing) };
}

export const createOwn = (limits: Omit<QueueLimits, 'refusal'>) =>
  createQueue({ ...limits, refusal: tooManySignIns });

const tooManySignIns = () =>
  new Problem(
    'busy',
    'Too many people are signing in right now. You are not signed in. Try again in a few seconds.',
    { headers: { 'Retry-After': '3' } },
  );

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
