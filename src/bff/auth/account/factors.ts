import { mostPasskeys, type PasskeyCreation } from '../../../contract/bff/passkey.ts';
import { invalidField, Problem } from '../../../contract/http/problem.ts';
import { seal, unseal } from '../../../lib/crypto.ts';
import type { CurrentUser } from '../../current-user.ts';
import type { BffDeps } from '../../deps.ts';
import type { BffHandlers } from '../../http/router.ts';
import type { StaffTable } from '../../schema.ts';
import { browserLabel } from '../sessions.ts';
import { challengeLife, passkeyAlgorithms, spendOnce, userHandleOf, type Passkeys } from '../passkeys.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../one-time-password.ts';
import {
  addFactor,
  factorsOf,
  hasSecondFactor,
  removeFactors,
  removeLastTraces,
  type SecondFactors,
  makeTotpKey,
  stepOfCode,
  totpUri,
} from '../second-factor.ts';
import { createChangeAccount, type AccountParts } from './change-account.ts';

export interface FactorParts extends AccountParts {
  secondFactors: SecondFactors;
  passkeys: Passkeys;
}

/** Time that a key may wait until its app is confirmed, in ms. */
const setupLife = 15 * 60_000;

/**
 * Changes the second factors of the user's own account. The first one comes with recovery codes. A passkey is added
 * only by the account that began, with a challenge that is used once; so is a key of an app.
 */
export function createFactorRoutes(parts: FactorParts) {
  const { db, clock, random, secondFactors, passkeys } = parts;
  const change = createChangeAccount(parts);
  const setupKey = (staffId: string) => `${parts.secondFactorKey} ${staffId}`;

  return {
    async getSecondFactor(_, { url }, { staffId }) {
      const id = staffId ?? '';
      const [app] = await factorsOf(db, id, 'totp');
      const keys = await factorsOf(db, id, 'passkey');
      return {
        app: app ? timesOf(app) : null,
        passkeys: keys.map((key) => ({ id: key.id, name: key.name ?? '', ...timesOf(key) })),
        noPasskeys: passkeys.unavailableReason(url.hostname),
        recoveryCodes: await countRecoveryCodes(db, id),
      };
    },

    async setUpApp(_, _context, user) {
      const staff = await findAccount(db, user);
      const key = makeTotpKey(random);
      const until = clock() + setupLife;
      const setup = await seal('second-factor-setup', setupKey(staff.id), { key, until }, random);
      return { key, uri: totpUri(key, staff.name), setup };
    },

    async confirmApp({ body: { setup, code } }, context, user) {
      const staff = await findAccount(db, user);
      const { id: staffId } = staff;
      const { key, until } = asSetup(await unseal('second-factor-setup', setupKey(staffId), setup));
      const now = clock();
      // One that ends too late was made by a clock that was ahead.
      if (until <= now || until > now + 2 * setupLife)
        throw invalidField('setup', 'This took too long. Nothing was changed. Begin again.');
      const counter = stepOfCode(key, code.replace(/[\s-]/g, ''), now);
      if (counter === null)
        throw invalidField(
          'code',
          'This code is wrong. Enter the six digits that the app shows now. If they stay wrong, check the clock of the device.',
        );
      const secret = await secondFactors.sealKey(staffId, key);
      return change('setUpSecondFactor', staff, context, async (tx) => {
        // Other recovery codes than those that the first answer had would make those useless.
        if (!(await spendOnce(tx, setup, until)))
          throw invalidField(
            'setup',
            'This app is set up already. If you have not seen your recovery codes, make new ones.',
          );
        await removeFactors(tx, staffId, 'totp');
        await addFactor(tx, { staffId, kind: 'totp', secret, counter }, parts);
        return { result: { recoveryCodes: await replaceRecoveryCodes(tx, staffId, parts) } };
      });
    },

    async removeApp(_, context, user) {
      const staff = await findAccount(db, user);
      return change('removeSecondFactor', staff, context, async (tx) => {
        if (!(await hasSecondFactor(tx, staff.id))) throw noSecondFactor();
        await removeFactors(tx, staff.id, 'totp');
        return { result: undefined };
      });
    },

    async renewRecoveryCodes(_, context, user) {
      const staff = await findAccount(db, user);
      return change('renewRecoveryCodes', staff, context, async (tx) => {
        if (!(await hasSecondFactor(tx, staff.id))) throw noSecondFactor();
        return { result: { recoveryCodes: await replaceRecoveryCodes(tx, staff.id, parts) } };
      });
    },

    async startPasskey(_, { url }, user): Promise<PasskeyCreation> {
      const staff = await findAccount(db, user);
      const reason = passkeys.unavailableReason(url.hostname);
      if (reason !== null || !passkeys.site) throw new Problem('no-passkeys', reason ?? '');
      const present = await factorsOf(db, staff.id, 'passkey');
      if (present.length >= mostPasskeys) throw tooManyPasskeys();
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

    async addPasskey({ body }, context, user) {
      const staff = await findAccount(db, user);
      const { id: staffId } = staff;
      const made = await passkeys.checkRegistration(body, staffId);
      if (!made) throw notAdded();
      const { credentialId, secret, counter } = made;
      const name = browserLabel(context.headers.get('User-Agent'));
      return change('addPasskey', staff, context, async (tx) => {
        if (!(await made.use(tx))) throw notAdded();
        const known = tx.selectFrom('second_factors').select('id').where('credential_id', '=', credentialId);
        if (await known.executeTakeFirst()) throw notAdded();
        if ((await factorsOf(tx, staffId, 'passkey')).length >= mostPasskeys) throw tooManyPasskeys();
        const isFirst = !(await hasSecondFactor(tx, staffId));
        await addFactor(tx, { staffId, kind: 'passkey', secret, counter, credentialId, name }, parts);
        const recoveryCodes = isFirst ? await replaceRecoveryCodes(tx, staffId, parts) : [];
        return { result: { recoveryCodes }, details: { browser: name } };
      });
    },

    async removePasskey({ params }, context, user) {
      const staff = await findAccount(db, user);
      return change('removePasskey', staff, context, async (tx) => {
        const own = tx.deleteFrom('second_factors').where('id', '=', params.id);
        const keys = own.where('staff_id', '=', staff.id).where('kind', '=', 'passkey');
        const removed = await keys.returning('name').executeTakeFirst();
        if (!removed)
          throw new Problem(
            'no-such-passkey',
            'Your account has no such passkey. It may have been removed. Reload the page.',
          );
        await removeLastTraces(tx, staff.id);
        return { result: undefined, details: { browser: removed.name ?? '' } };
      });
    },
  } satisfies Partial<BffHandlers>;
}

/**
 * The user's account as it is now.
 *
 * @throws {Problem} `decided-elsewhere` or `not-allowed` if it has no ways to sign in here
 */
export async function findAccount(
  db: BffDeps['db'],
  { staffId, singleSignOn }: CurrentUser,
): Promise<StaffTable> {
  if (singleSignOn)
    throw new Problem(
      'decided-elsewhere',
      'You sign in with single sign-on. Your provider does this: set up a second factor there.',
    );
  const found = db
    .selectFrom('staff')
    .selectAll()
    .where('id', '=', staffId ?? '');
  const staff = await found.executeTakeFirst();
  if (!staff)
    throw new Problem('not-allowed', 'You did not sign in, so there is no account to protect here.');
  return staff;
}

const timesOf = (factor: { created_at: number; last_used_at: number | null }) => ({
  since: new Date(factor.created_at).toISOString(),
  lastUsedAt: factor.last_used_at === null ? null : new Date(factor.last_used_at).toISOString(),
});

/** Checks the text that `setUpApp` has sealed. @throws {Problem} `invalid-input` if it is something else */
function asSetup(unsealed: unknown): { key: string; until: number } {
  if (typeof unsealed !== 'object' || unsealed === null)
    throw invalidField(
      'setup',
      'This setup was not begun by your account. Nothing was changed. Begin again.',
    );
  // Sealed here and by no one else.
  return unsealed as { key: string; until: number };
}

const noSecondFactor = () =>
  new Problem(
    'second-factor-needed',
    'Your account has no second factor. Reload the page to see what it has.',
  );

const notAdded = () =>
  new Problem(
    'wrong-passkey',
    'This passkey was not added: it was made elsewhere, was added before, or it took too long. Begin again.',
  );

const tooManyPasskeys = () =>
  new Problem(
    'no-passkeys',
    `Your account has ${mostPasskeys} passkeys. Remove one that you no longer use first.`,
  );
