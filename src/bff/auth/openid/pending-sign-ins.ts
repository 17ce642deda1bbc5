import { seal, sha256, toBase64url, unseal } from '../../../lib/crypto.ts';
import { createQueues } from '../../../lib/queue.ts';
import type { BffDeps } from '../../deps.ts';
import type { RequestHeaders } from '../../http/context.ts';
import type { BffDb } from '../../schema.ts';
import { createOpenIdCookie } from '../cookies.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';
import type { Binding } from './provider.ts';

/**
 * Time that a user may take at the provider, in ms, most sign-ins that may be pending or have failed from one address in that
 * time, and most characters of the path to return to.
 */
export const pendingSignInLimits = { life: 10 * 60_000, address: 200, returnTo: 2048 } as const;

/** The clocks of replicas differ a little; what began later than that began under a clock that was ahead. */
const latest = (now: number) => now + 60_000;

/** Deletes what counts no more. Not with each start: strangers at many addresses would make every one read all rows. */
export async function deleteOldSingleSignOns(db: BffDb, now: number): Promise<void> {
  await db
    .deleteFrom('single_sign_ons')
    .where((row) => row.or([row('at', '<=', now - pendingSignInLimits.life), row('at', '>', latest(now))]))
    .execute();
}

interface PendingSignIn {
  returnTo: string;
  previousSession: string | null;
  address: string;
}

/** Sign-ins that were begun at the OpenID provider, in the database: the browser may come back to another replica. */
interface PendingSignIns {
  /** @returns what to send to the provider, and the `Set-Cookie` that binds it to the browser */
  begin(headers: RequestHeaders, begun: PendingSignIn): Promise<{ binding: Binding; cookie: string }>;
  /**
   * Ends the sign-in that this browser began with this state; that works once. It counts for its address until `forget` is
   * called in the transaction that signs in: who begins and fails again and again would else write without end, and ask the
   * provider each time.
   *
   * @throws {SingleSignOnFailure} `expired` if there is none, it was ended before, or it took too long
   */
  end(headers: RequestHeaders, state: string | null): Promise<EndedSignIn>;
}

interface EndedSignIn {
  binding: Binding;
  begun: PendingSignIn;
  forget: (tx: BffDb) => Promise<void>;
}

export function createPendingSignIns(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random'> & { publicUrl: string },
): PendingSignIns {
  const { db, clock, random } = deps;
  const cookie = createOpenIdCookie(deps.publicUrl, pendingSignInLimits.life / 1000);
  /** @throws {SingleSignOnFailure} `too-many` if more are pending from an address */
  const checkPending = async (address: string, now: number) => {
    const count = db.fn.countAll<number>().as('count');
    const rows = db.selectFrom('single_sign_ons').select(count).where('address', '=', address);
    const pending = rows.where('at', '>', now - pendingSignInLimits.life).where('at', '<=', latest(now));
    if ((await pending.executeTakeFirstOrThrow()).count >= pendingSignInLimits.address) throw tooMany();
  };
  // One at a time from an address: of many that come at once, each would see a count without the others, and write.
  const queues = createQueues({
    atOnce: 1,
    mostWaiting: pendingSignInLimits.address,
    patience: 10_000,
    refusal: tooMany,
  });
  return {
    async begin(headers, { returnTo, previousSession, address }) {
      const now = clock();
      // Before anything waits or is written: a flood from one address must not hold up everybody.
      await checkPending(address, now);
      return queues.run(address, async () => {
        await checkPending(address, now);
        // One secret for all tabs, so that two of them can sign in at the same time.
        const secret = cookie.read(headers) ?? toBase64url(random(32));
        const binding = await bind(secret, toBase64url(random(32)));
        const key = await keyOf(secret, binding.state);
        const sealed = await seal('return-path', secret, returnTo, random);
        const row = { key, return_to: sealed, previous_session: previousSession, address, at: now };
        await db.insertInto('single_sign_ons').values(row).execute();
        return { binding, cookie: cookie.set(secret) };
      });
    },
    async end(headers, state) {
      const secret = cookie.read(headers);
      if (secret === null || state === null) throw expired('no-cookie-or-state');
      // Not by `keyOf`: the state of an address may be any text, and must not find an ended one.
      const endedKey = await sha256(`ended ${secret} ${state}`);
      // One statement finds and changes it: of two requests at once, only one succeeds.
      const row = await db
        .updateTable('single_sign_ons')
        .set({ key: endedKey })
        .where('key', '=', await keyOf(secret, state))
        .returningAll()
        .executeTakeFirst();
      if (!row) throw expired('not-under-way');
      const now = clock();
      if (row.at <= now - pendingSignInLimits.life || row.at > latest(now)) throw expired('too-late');
      const path = await unseal('return-path', secret, row.return_to);
      // A server of an earlier version has it unsealed.
      const returnTo = typeof path === 'string' ? path : '/';
      const begun = { returnTo, previousSession: row.previous_session, address: row.address };
      const forget = async (tx: BffDb) =>
        void (await tx.deleteFrom('single_sign_ons').where('key', '=', endedKey).execute());
      return { binding: await bind(secret, state), begun, forget };
    },
  };
}

const tooMany = () => new SingleSignOnFailure('too-many', 'too-many');

const expired = (reason: string) => new SingleSignOnFailure('expired', reason);

const keyOf = (secret: string, state: string) => sha256(`key ${secret} ${state}`);

/**
 * Nonce and verifier derive from a secret that only the browser's cookie holds, so a copy of the table reveals neither, nor
 * the path to return to, which may hold what somebody searched for.
 */
async function bind(secret: string, state: string): Promise<Binding> {
  const nonce = await sha256(`nonce ${secret} ${state}`);
  const verifier = await sha256(`verifier ${secret} ${state}`);
  return { state, nonce, verifier };
}
