import type { PasskeyCreation, PasskeyRegistration } from '../../contract/bff/passkey.ts';
import { mostPasskeys } from '../../contract/bff/passkey.ts';
import type { Proof, SecondFactor } from '../../contract/bff/second-factor.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { RequestContext } from '../http/context.ts';
import { browserLabel } from './browser-label.ts';
import {
  createFactorChange,
  createProofCheck,
  findOwn,
  holdAccount,
  timeOf,
  type FactorDeps,
} from './own-second-factor.ts';
import { challengeLife, passkeyAlgorithms, userHandleOf, type Passkeys } from './passkeys.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { addFactor, factorsOf, hasSecondFactor, removeLastTraces } from './second-factor.ts';
import type { CurrentUser } from '../current-user.ts';

type By = [context: RequestContext, user: CurrentUser];

/** What users do with the passkeys of their own account. What changes them answers each `Set-Cookie` too. */
export interface OwnPasskeys {
  list(staffId: string): Promise<SecondFactor['passkeys']>;
  /** Why none can be used at a host; null if one can. */
  whyNone(host: string): string | null;
  start(proof: Proof, ...by: By): Promise<PasskeyCreation>;
  add(answer: PasskeyRegistration, ...by: By): Promise<{ recoveryCodes: string[]; cookies: string[] }>;
  remove(id: string, proof: Proof, ...by: By): Promise<{ cookies: string[] }>;
}

/**
 * A passkey is made after a proof, and added only by the account that began, with a challenge that is used once. The
 * first second factor of an account comes with recovery codes.
 */
export function createOwnPasskeys(deps: FactorDeps & { passkeys: Passkeys }): OwnPasskeys {
  const { db, browsers, passkeys } = deps;
  const check = createProofCheck(deps);
  const change = createFactorChange(deps);

  return {
    whyNone: (host) => passkeys.whyNone(host),

    async list(staffId) {
      const rows = await factorsOf(db, staffId, 'passkey');
      return rows.map(({ id, name, created_at: since, last_used_at: usedAt }) => {
        return { id, name: name ?? '', since: timeOf(since), lastUsedAt: timeOf(usedAt) };
      });
    },

    async start(proof, context, user) {
      const staff = await findOwn(db, user);
      const reason = passkeys.whyNone(context.url.hostname);
      if (reason !== null || !passkeys.site) throw new Problem('no-passkeys', reason ?? '');
      const shown = await check(proof, staff, context);
      await db.transaction().execute(async (tx) => {
        await holdAccount(tx, staff);
        await shown.use(tx);
      });
      await shown.forget();
      const present = await factorsOf(db, staff.id, 'passkey');
      if (present.length >= mostPasskeys) throw tooMany();
      return {
        challenge: await passkeys.makeChallenge(staff.id),
        rp: { id: passkeys.site.id, name: 'Subscriber Desk' },
        user: { id: userHandleOf(staff.id), name: staff.name, displayName: staff.name },
        pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ alg, type: 'public-key' })),
        timeout: challengeLife,
        attestation: 'none',
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        excludeCredentials: present.map(({ credential_id: id }) => ({ id: id ?? '', type: 'public-key' })),
      };
    },

    async add(answer, context, user) {
      const staff = await findOwn(db, user);
      const { id: staffId } = staff;
      const made = await passkeys.checkRegistration(answer, staffId);
      if (!made) throw notAdded();
      const { credentialId, secret, counter } = made;
      const name = browserLabel(context.headers.get('User-Agent'));
      const recoveryCodes = await change('addPasskey', staff, context, async (tx, describe) => {
        if (!(await made.use(tx))) throw notAdded();
        const known = tx.selectFrom('second_factors').select('id').where('credential_id', '=', credentialId);
        if (await known.executeTakeFirst()) throw notAdded();
        if ((await factorsOf(tx, staffId, 'passkey')).length >= mostPasskeys) throw tooMany();
        const isFirst = !(await hasSecondFactor(tx, staffId));
        await addFactor(tx, { staffId, kind: 'passkey', secret, counter, credentialId, name }, deps);
        describe({ browser: name });
        return isFirst ? replaceRecoveryCodes(tx, staffId, deps) : [];
      });
      return { recoveryCodes, cookies: await remember(context, staff) };
    },

    async remove(id, proof, context, user) {
      const staff = await findOwn(db, user);
      const shown = await check(proof, staff, context);
      await change('removePasskey', staff, context, async (tx, describe) => {
        await shown.use(tx);
        const own = tx.deleteFrom('second_factors').where('id', '=', id).where('staff_id', '=', staff.id);
        const removed = await own.where('kind', '=', 'passkey').returning('name').executeTakeFirst();
        if (!removed)
          throw new Problem(
            'no-such-passkey',
            'Your account has no such passkey. It may have been removed. Reload the page.',
          );
        await removeLastTraces(tx, staff.id);
        describe({ browser: removed.name ?? '' });
      });
      await shown.forget();
      return { cookies: await remember(context, staff) };
    },
  };

  async function remember({ headers }: RequestContext, staff: Parameters<typeof browsers.remember>[1]) {
    return [await browsers.remember(headers, staff)].filter((cookie) => cookie !== null);
  }
}

const notAdded = () =>
  new Problem(
    'wrong-passkey',
    'This passkey was not added: it was made elsewhere, was added before, or it took too long. Begin again.',
  );

const tooMany = () =>
  new Problem(
    'no-passkeys',
    `Your account has ${mostPasskeys} passkeys. Remove one that you no longer use first.`,
  );
