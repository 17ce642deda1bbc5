import type { PasskeyAssertion, PasskeyRequest } from '../../contract/bff/passkey.ts';
import type { Role } from '../../contract/bff/permission.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import { networkOf } from '../../lib/client-network.ts';
import type { Sessions } from './sessions.ts';
import type { RequestContext } from '../http/context.ts';
import { noRole, type StaffTable } from '../schema.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { createOwn, signInQueues } from './local-sign-in.ts';
import { whyNoPasskey } from './passkey-site.ts';
import { challengeLife, hasPasskeys, type Passkeys } from './passkeys.ts';
import { wrongPasskey } from './second-factor.ts';
import { createSignInRateLimit } from './sign-in-rate-limit.ts';
import type { SignInRecord } from './sign-in-record.ts';

/** Sign-in with a passkey alone: its authenticator has checked who uses it, so it counts as both factors. */
export interface PasskeySignIn {
  /** Whether the sign-in page offers it at a host: somebody has a passkey, and it can be used there. */
  isOffered(host: string): Promise<boolean>;
  /** What a browser needs for it. @throws {Problem} `no-passkeys` */
  request(context: RequestContext): Promise<PasskeyRequest>;
  /** Starts a session; returns the account and each `Set-Cookie`. @throws {Problem} `wrong-passkey` */
  signIn(
    answer: PasskeyAssertion,
    context: RequestContext,
  ): Promise<{ staff: StaffTable & { role: Role }; cookies: string[] }>;
}

export function createPasskeySignIn(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'log' | 'transport'> & {
    passkeys: Passkeys;
    browsers: KnownBrowsers;
    sessions: Sessions;
    signIns: Pick<SignInRecord, 'failed'>;
  },
): PasskeySignIn {
  const { db, log, transport, passkeys, browsers, sessions, signIns } = deps;
  const { site } = passkeys;
  const rateLimit = createSignInRateLimit(deps, 'passkey');
  const queue = createOwn(signInQueues.fresh);

  /** The account of a right answer, if people may sign in to it so; else undefined, with the account if there is one. */
  async function find(staffId: string) {
    const staff = await db.selectFrom('staff').selectAll().where('id', '=', staffId).executeTakeFirst();
    const { issuer = '', must_change_password: mustChange, disabled, role = noRole } = staff ?? {};
    const isOpen = issuer === null && mustChange === 0 && disabled === 0 && role !== noRole;
    return { staff, open: staff && isOpen ? { ...staff, role } : undefined };
  }

  async function signIn(answer: PasskeyAssertion, context: RequestContext) {
    const { headers, requestId, address } = context;
    // The account is known only afterwards: those of one address count together.
    const forget = await rateLimit.count({ account: networkOf(address), address, browser: null });
    const checked = await passkeys.check(answer);
    const { staff, open } = checked ? await find(checked.staffId) : {};
    const fail = async () => {
      await signIns.failed(staff, requestId);
      log('warn', 'sign-in-failed', { requestId, ...(staff && { staffId: staff.id }) });
      return wrongPasskey();
    };
    if (!checked || !open) throw await fail();
    const prove: NonNullable<Parameters<Sessions['start']>[2]['prove']> = async (tx) => {
      if (!(await checked.use(tx))) throw wrongPasskey();
      return null;
    };
    const session = await sessions
      .start(headers, open, { requestId, way: 'passkey', prove })
      .catch(async (error: unknown) => {
        throw error instanceof Problem ? await fail() : error;
      });
    await forget();
    log('info', 'signed-in', { requestId, staffId: open.id });
    const known = await browsers.remember(headers, open);
    return { staff: open, cookies: known === null ? [session] : [session, known] };
  }

  return {
    isOffered: async (host) => whyNoPasskey(site, transport, host) === null && hasPasskeys(db),

    async request({ url }) {
      const reason = whyNoPasskey(site, transport, url.hostname);
      if (reason !== null || !site) throw new Problem('no-passkeys', reason ?? '');
      const challenge = await passkeys.makeChallenge(null);
      return { challenge, rpId: site.id, timeout: challengeLife, userVerification: 'required' };
    },

    signIn: (answer, context) => queue.run(() => signIn(answer, context), context.signal()),
  };
}
