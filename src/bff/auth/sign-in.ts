import type { Transaction } from 'kysely';
import type { Credentials } from '../../contract/bff/password.ts';
import type { PasskeyAssertion, PasskeyRequest } from '../../contract/bff/passkey.ts';
import type { Role } from '../../contract/bff/permission.ts';
import type { SecondFactorKind } from '../../contract/bff/second-factor.ts';
import { Problem } from '../../contract/http/problem.ts';
import { networkOf } from '../../lib/client-network.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { createQueue } from '../../lib/queue.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestContext } from '../http/context.ts';
import { noRole, type BffTables, type StaffTable } from '../schema.ts';
import { nameKey } from '../staff/name-key.ts';
import { findStaff } from '../staff/store.ts';
import type { Attempts, Origin, Tried } from './attempts.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { isLikeOneTime, oneTimePasswordFault, readOneTimePassword } from './one-time-password.ts';
import { challengeLife, hasPasskeys, type Passkeys } from './passkeys.ts';
import { wrongPasskey, type SecondFactors } from './second-factor.ts';
import { wrongPassword, type Sessions } from './sessions.ts';
import type { SignInRecord } from './sign-in-record.ts';

/** An account that was signed in to, and each `Set-Cookie` of the session that has begun. */
export interface SignedIn {
  staff: StaffTable & { role: Role };
  cookies: string[];
}

/** Sign-in with an account of our own. */
export interface SignIn {
  /**
   * A wrong name, a wrong password and a disabled account take equally long and get the same answer, so that nobody can
   * find out who has an account. Whether an account has a second factor, only who has its password learns; the request
   * is then sent again, with a code.
   */
  byPassword(credentials: Credentials, context: RequestContext): Promise<SignedIn>;
  /**
   * A passkey alone: its authenticator has checked who uses it, so it counts as both factors. Nobody guesses one, so
   * what is none of ours is found by two reads, and waits with the failing ones only to be counted.
   *
   * @throws {Problem} `wrong-passkey`
   */
  byPasskey(answer: PasskeyAssertion, context: RequestContext): Promise<SignedIn>;
  /** True if the sign-in page offers passkeys at a host: somebody has one, and it can be used there. */
  offersPasskeys(host: string): Promise<boolean>;
  /** Options for the browser's passkey dialog. @throws {Problem} `no-passkeys` */
  requestPasskey(context: RequestContext): Promise<PasskeyRequest>;
}

type Way = 'password' | 'passkey';
/** Uses the second factor up, in the transaction that starts the session. */
type Prove = (tx: Transaction<BffTables>) => Promise<SecondFactorKind | null>;
type OpenAccount = SignedIn['staff'];
/** The limit that a password counts for. */
interface Limited {
  tried: Tried;
  /** True if something was tried from the same place lately. */
  isFailing: boolean;
  /** The answer to a wrong password; null for the usual one. */
  refusal: Problem | null;
}

export function createSignIn(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'passwords' | 'log'> & {
    attempts: Attempts;
    browsers: KnownBrowsers;
    sessions: Sessions;
    signIns: SignInRecord;
    secondFactors: SecondFactors;
    passkeys: Passkeys;
  },
): SignIn {
  const { db, clock, passwords, log, attempts, browsers, sessions, signIns } = deps;
  const { secondFactors, passkeys } = deps;
  const decoy = createDecoy(deps);
  const queues = createSignInQueues();

  /** Records a sign-in that failed. @returns what it is refused with */
  async function fail(staff: StaffTable | undefined, requestId: string, refusal: Problem) {
    await signIns.failed(staff, requestId);
    log('warn', 'sign-in-failed', { requestId, ...(staff && { staffId: staff.id }) });
    return refusal;
  }

  /** @throws {Problem} what `prove` throws, or that the account was changed after it was read */
  async function enter(
    staff: OpenAccount,
    { headers, requestId }: RequestContext,
    way: Way,
    prove: Prove,
  ): Promise<SignedIn> {
    let known: string[] = [];
    const session = await sessions.start(staff, {
      headers,
      async finish(tx) {
        const secondFactor = await prove(tx);
        // A browser is not remembered yet if someone else has seen the password.
        if (staff.must_change_password === 0) known = await browsers.remember(tx, headers, staff);
        await signIns.succeeded(tx, staff, { requestId, way, secondFactor });
      },
    });
    if (session === null) throw wrongPassword();
    log('info', 'signed-in', { requestId, staffId: staff.id });
    return { staff, cookies: [session.cookie, ...known] };
  }

  /**
   * Refuses a password that is over the limit, unless it could be a one-time password: strangers who guess at an account must
   * not keep out who was given one, and has no known browser. Nobody learns whether the account has one: what is not right
   * takes as long, and is refused in the same way.
   */
  async function checkLimit({ password }: Credentials, from: Origin): Promise<Limited> {
    try {
      return { tried: 'password', isFailing: await attempts.check('password', from), refusal: null };
    } catch (error) {
      if (!isTooMany(error) || !isLikeOneTime(password)) throw error;
      const isFailing = await attempts.check('one-time-password', from);
      return { tried: 'one-time-password', isFailing, refusal: error };
    }
  }

  async function checkPassword(
    credentials: Credentials,
    context: RequestContext,
    from: Origin,
    { tried, refusal }: Limited,
  ) {
    const { requestId } = context;
    const forget = await attempts.count(tried, from);
    const decoyHash = await decoy();
    const staff = await findStaff(db, credentials.name);
    // An account of single sign-on has no password: checking it takes as long as for an unknown name.
    const isOneTime = typeof staff?.password_expires_at === 'number';
    const password = isOneTime ? readOneTimePassword(credentials.password) : credentials.password;
    const isLookedAt = refusal === null || isOneTime;
    const right = await passwords.verify(password, (isLookedAt && staff?.password_hash) || decoyHash);
    const open = staff && right ? openAccount(staff) : undefined;
    if (!open) throw await fail(staff, requestId, refusal ?? wrongPassword());
    const fault = oneTimePasswordFault(open, clock());
    if (fault !== null) throw await fail(open, requestId, new Problem('password-expired', fault));
    const second = await secondFactors.ask(open.id, credentials, from).catch(async (error: unknown) => {
      if (error instanceof Problem && error.code === 'code-needed') await forget('address');
      throw error;
    });
    const entered = await enter(open, context, 'password', (tx) => second.use(tx)).catch(
      async (error: unknown) => {
        const isWrong = error instanceof Problem && ['wrong-code', 'wrong-passkey'].includes(error.code);
        throw isWrong ? await fail(open, requestId, error) : error;
      },
    );
    // Only now: the limits of the password hold until the second factor was right as well.
    await forget();
    await second.forget();
    return entered;
  }

  const logLimited = (requestId: string) => (error: unknown) => {
    // A database that fails refuses, too, and says so itself.
    if (isTooMany(error)) log('warn', 'sign-in-limited', { requestId });
    throw error;
  };

  async function byPassword(credentials: Credentials, context: RequestContext) {
    const account = nameKey(credentials.name);
    const browser = await browsers.find(context.headers, account);
    const from = { account, address: context.address, browser };
    const limited = await checkLimit(credentials, from);
    return queues.run(from, limited.isFailing, context, () =>
      checkPassword(credentials, context, from, limited),
    );
  }

  async function byPasskey(answer: PasskeyAssertion, context: RequestContext) {
    const { headers, requestId, address } = context;
    const credential = await passkeys.find(answer);
    const staff = credential && (await findById(credential.staffId));
    // Whose account it is, shows only a right answer: those of strangers count for their address.
    const browser = staff ? await browsers.find(headers, staff.name_key) : null;
    const from = { account: networkOf(address), address, browser };
    const isFailing = await attempts.check('passkey', from);
    const open = staff?.issuer === null && staff.must_change_password === 0 ? openAccount(staff) : undefined;
    const checked = credential && (await credential.check());
    if (!checked || !open)
      return queues.run(from, true, context, async () => {
        await attempts.count('passkey', from);
        throw await fail(checked ? (staff ?? undefined) : undefined, requestId, wrongPasskey());
      });
    const prove: Prove = async (tx) => {
      if (!(await checked.use(tx))) throw wrongPasskey();
      return null;
    };
    return queues.run(from, isFailing, context, () =>
      enter(open, context, 'passkey', prove).catch(async (error: unknown) => {
        // Else the database has failed, or the account signs in too often.
        const isWrong = error instanceof Problem && ['wrong-passkey', 'wrong-password'].includes(error.code);
        throw isWrong ? await fail(open, requestId, wrongPasskey()) : error;
      }),
    );
  }

  const findById = (id: string) => db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirst();

  return {
    byPassword: (credentials, context) =>
      byPassword(credentials, context).catch(logLimited(context.requestId)),
    byPasskey: (answer, context) => byPasskey(answer, context).catch(logLimited(context.requestId)),
    offersPasskeys: async (host) => passkeys.unavailableReason(host) === null && hasPasskeys(db),
    async requestPasskey({ url }) {
      const reason = passkeys.unavailableReason(url.hostname);
      if (reason !== null || !passkeys.site) throw new Problem('no-passkeys', reason ?? '');
      const challenge = await passkeys.makeChallenge(null);
      return { challenge, rpId: passkeys.site.id, timeout: challengeLife, userVerification: 'required' };
    },
  };
}

const isTooMany = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'too-many-attempts';

/** An account that people may sign in to; else undefined. */
function openAccount(staff: StaffTable): OpenAccount | undefined {
  const { role, disabled } = staff;
  return disabled === 0 && role !== noRole ? { ...staff, role } : undefined;
}

/**
 * Sign-ins that run, and that wait, at once; most time that they wait, in ms. There is a queue each for known browsers,
 * addresses from which nothing wrong was tried, and all others. Strangers who try passwords from many addresses can
 * fill only the queues of strangers, and after their first failures only the last one.
 *
 * Few run at once: each writes several times, and a durable write to a SQLite file blocks all others for some
 * milliseconds. Their passwords are hashed one after the other anyway.
 */
export const signInQueues = {
  known: { atOnce: 2, mostWaiting: 500, patience: 20_000 },
  fresh: { atOnce: 2, mostWaiting: 60, patience: 5_000 },
  failing: { atOnce: 1, mostWaiting: 20, patience: 5_000 },
};

/**
 * Most sign-ins of one known browser, or of one address among the fresh ones, that run or wait: none fills a queue alone. A
 * person signs in once at a time: with five, 400 connections of a known browser made colleagues wait for up to 3.7 s, with
 * one 1.2 s.
 */
const ownShare = { known: 1, fresh: 20 };

function createSignInQueues() {
  const queues = { known: createSignInQueue('known'), fresh: createSignInQueue('fresh') };
  const failing = createSignInQueue('failing');
  const inQueue = new Map<string, number>();

  return {
    async run<T>(from: Origin, isFailing: boolean, { signal }: RequestContext, task: () => Promise<T>) {
      const kind = from.browser === null ? 'fresh' : 'known';
      const key = from.browser ?? networkOf(from.address);
      const own = inQueue.get(key) ?? 0;
      if ((kind === 'fresh' && isFailing) || own >= ownShare[kind]) return failing.run(task, signal());
      inQueue.set(key, own + 1);
      try {
        return await queues[kind].run(task, signal());
      } finally {
        const others = (inQueue.get(key) ?? 1) - 1;
        if (others > 0) inQueue.set(key, others);
        else inQueue.delete(key);
      }
    },
  };
}

const createSignInQueue = (kind: keyof typeof signInQueues) =>
  createQueue({ ...signInQueues[kind], refusal: tooManySignIns });

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
