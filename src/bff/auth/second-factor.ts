import type { Transaction } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { PasskeyAssertion } from '../../contract/bff/passkey.ts';
import type { SecondFactorKind } from '../../contract/bff/second-factor.ts';
import { seal, unseal, toBase64url } from '../../lib/crypto.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import type { BffTables, FactorKind, BffDb } from '../schema.ts';
import { hasPasskeys, type Passkeys } from './passkeys.ts';
import { deleteRecoveryCodes, spendRecoveryCode } from './one-time-password.ts';
import type { Attempts, Origin } from './attempts.ts';

/** Second factors of accounts, besides their passwords. */
export interface SecondFactors {
  /**
   * Asks for the second factor of an account whose password was right. A code is counted before it is looked at.
   *
   * @returns how to go on
   * @throws {Problem} `code-needed` if it has one and nothing is shown; `too-many-attempts`
   */
  ask(staffId: string, shown: ShownFactor, from: Origin): Promise<SecondFactorTry>;
  /** The key of the account's authenticator app, as it is stored. */
  sealKey(staffId: string, key: string): Promise<string>;
}

/** A code or a passkey that is sent with the password. */
interface ShownFactor {
  code?: string | undefined;
  passkey?: PasskeyAssertion | undefined;
}

/** A code that was counted, or an account that needs none. */
interface SecondFactorTry {
  /**
   * Uses the code up, in a transaction that holds the account.
   *
   * @returns what the code was; null if the account has no second factor
   * @throws {Problem} `wrong-code` or `wrong-passkey`; `code-needed` if the account got a second factor in the meantime
   */
  use(tx: Transaction<BffTables>): Promise<SecondFactorKind | null>;
  /** To be called once the code was right: wrong ones from the same origin count no more. */
  forget(): Promise<void>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'secondFactorKey'> & {
  passkeys: Passkeys;
  attempts: Attempts;
};

export function createSecondFactors(deps: Deps): SecondFactors {
  const { db, clock, random, passkeys, attempts } = deps;

  /** @returns what the code was; null if it is wrong or was used */
  async function spendCode(
    tx: Transaction<BffTables>,
    staffId: string,
    code: string,
  ): Promise<SecondFactorKind | null> {
    const now = clock();
    const digits = digitsOf(code);
    if (digits === null)
      return (await spendRecoveryCode(tx, { code, staffId, now }, deps)) ? 'recovery-code' : null;
    for (const factor of await factorsOf(tx, staffId, 'totp')) {
      const key = await unseal('second-factor', sealingKey(deps, staffId), factor.secret);
      const step = typeof key === 'string' ? stepOfCode(key, digits, now) : null;
      if (step !== null && (await countUp(tx, { id: factor.id, counter: step, now }))) return 'totp';
    }
    return null;
  }

  return {
    async ask(staffId, { code, passkey }, from) {
      const isNeeded = await hasSecondFactor(db, staffId);
      const isShown = code !== undefined || passkey !== undefined;
      if (isNeeded && !isShown) throw await codeNeeded(db, staffId);
      if (!isNeeded || !isShown)
        return {
          async use(tx) {
            if (await hasSecondFactor(tx, staffId)) throw await codeNeeded(tx, staffId);
            return null;
          },
          forget: async () => undefined,
        };
      if (code === undefined) {
        const forget = await attempts.count('passkey', from);
        const found = passkey ? await passkeys.find(passkey) : null;
        const checked = found?.staffId === staffId ? await found.check() : null;
        return {
          async use(tx) {
            if (!checked || !(await checked.use(tx))) throw wrongPasskey();
            return 'passkey';
          },
          forget,
        };
      }
      // Counted apart: who has lost the phone is not kept out by what others guess for its app.
      const forget = await attempts.count(digitsOf(code) === null ? 'recovery-code' : 'code', from);
      return {
        async use(tx) {
          const used = await spendCode(tx, staffId, code);
          if (used === null) throw wrongCode();
          return used;
        },
        forget,
      };
    },
    sealKey: (staffId, key) => seal('second-factor', sealingKey(deps, staffId), key, random),
  };
}

/** The six digits that an app shows, however they are typed; null if it is something else. */
function digitsOf(code: string): string | null {
  const digits = code.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}

/** The account is part of the key, so that a row that is copied to another account opens nothing. */
const sealingKey = ({ secondFactorKey }: Pick<Deps, 'secondFactorKey'>, staffId: string) =>
  `${secondFactorKey} ${staffId}`;

/** Its `errors` name `passkey` if the account has one. */
const codeNeeded = async (db: BffDb, staffId: string) =>
  (await hasPasskeys(db, staffId))
    ? new Problem('code-needed', 'This account has a second factor. Use your passkey, or enter a code.', {
        errors: { passkey: ['Use your passkey.'] },
      })
    : new Problem(
        'code-needed',
        'This account has a second factor. Enter the code that your authenticator app shows.',
      );

/** The one answer for every passkey that does not sign in, so that nobody learns whose it is. */
export const wrongPasskey = () =>
  new Problem(
    'wrong-passkey',
    'This passkey was not accepted, or it took too long. You are not signed in. Try again, or use your password.',
  );

const wrongCode = () =>
  new Problem(
    'wrong-code',
    'This code is wrong or was used before. Enter the one that your authenticator app shows now, or a recovery code.',
  );

/** True if an account has to set up a second factor before anything else is open to it. */
export type LacksFactor = (
  account: { staffId: string | null; role: string; singleSignOn: boolean },
  on?: BffDb,
) => Promise<boolean>;

/** Asked at each request, so that a new role and a new setting count at once. The factor of single sign-on is the provider's. */
export function createSecondFactorPolicy({
  db,
  requireSecondFactor: who,
}: Pick<BffDeps, 'db' | 'requireSecondFactor'>): LacksFactor {
  return async ({ staffId, role, singleSignOn }, on = db) => {
    const isRequired = who === 'all' || (who === 'managers' && role === 'manager');
    return isRequired && staffId !== null && !singleSignOn && !(await hasSecondFactor(on, staffId));
  };
}

export async function hasSecondFactor(db: BffDb, staffId: string): Promise<boolean> {
  const found = db.selectFrom('second_factors').select('id').where('staff_id', '=', staffId).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

export function factorsOf(db: BffDb, staffId: string, kind: FactorKind) {
  const own = db.selectFrom('second_factors').selectAll().where('staff_id', '=', staffId);
  return own.where('kind', '=', kind).orderBy('created_at').execute();
}

interface PasskeyColumns {
  credentialId: string;
  name: string;
}

/** Adds a second factor to an account. Hold the account before. */
export async function addFactor(
  tx: Transaction<BffTables>,
  factor: { staffId: string; kind: FactorKind; secret: string; counter: number } & Partial<PasskeyColumns>,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<void> {
  await tx
    .insertInto('second_factors')
    .values({
      id: toBase64url(random(16)),
      staff_id: factor.staffId,
      kind: factor.kind,
      secret: factor.secret,
      last_counter: factor.counter,
      created_at: clock(),
      last_used_at: null,
      credential_id: factor.credentialId ?? null,
      name: factor.name ?? null,
    })
    .execute();
}

/** Removes the factors of one kind. @returns whether the account has none left, and so no recovery codes either */
export async function removeFactors(
  tx: Transaction<BffTables>,
  staffId: string,
  kind: FactorKind,
): Promise<boolean> {
  await tx.deleteFrom('second_factors').where('staff_id', '=', staffId).where('kind', '=', kind).execute();
  return removeLastTraces(tx, staffId);
}

/** Deletes the recovery codes of an account without a factor. @returns whether it has none */
export async function removeLastTraces(tx: Transaction<BffTables>, staffId: string): Promise<boolean> {
  if (await hasSecondFactor(tx, staffId)) return false;
  await deleteRecoveryCodes(tx, staffId);
  return true;
}

/** Removes all factors of an account, with the recovery codes. @returns whether there were any */
export async function removeAllFactors(tx: Transaction<BffTables>, staffId: string): Promise<boolean> {
  await deleteRecoveryCodes(tx, staffId);
  const removed = tx.deleteFrom('second_factors').where('staff_id', '=', staffId);
  return (await removed.executeTakeFirst()).numDeletedRows > 0n;
}

/**
 * Notes that a proof was used. The same or an earlier one is refused, also at two servers at once.
 *
 * @param proof.counter for `totp` its step of 30 s
 */
async function countUp(
  tx: Transaction<BffTables>,
  { id, counter, now }: { id: string; counter: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows: noted } = await tx
    .updateTable('second_factors')
    .set({ last_counter: counter, last_used_at: now })
    .where('id', '=', id)
    // A clock that was ahead for a while must not lock the owner out for as long.
    .where((row) =>
      row.or([row('last_counter', '<', counter), row('last_counter', '>', stepAt(now) + anHour)]),
    )
    .executeTakeFirst();
  return noted === 1n;
}

/** Ends the codes that apps may show now: a table that was restored does not know which of them were used. */
export async function endShownCodes(db: BffDb, now: number): Promise<void> {
  const apps = db.updateTable('second_factors').where('kind', '=', 'totp');
  await apps.set({ last_counter: stepAt(now) + 1 }).execute();
}

/** In steps of 30 s. */
const anHour = 120;

/** As RFC 6238 recommends and every authenticator app understands: six digits from SHA-1, others every 30 s. */
const form = { issuer: 'Subscriber Desk', algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Codes before and after the present one that count, because clocks of telephones are up to 30 s wrong. */
const window = 1;

const stepLength = form.period * 1000;

/** 160 random bits in Base32, the length that RFC 4226 recommends. */
export const makeTotpKey = (random: (bytes: number) => Uint8Array): string =>
  new Secret({ buffer: new Uint8Array(random(20)).buffer }).base32;

/** The address that an app scans. */
export const totpUri = (key: string, name: string): string =>
  new TOTP({ ...form, secret: Secret.fromBase32(key), label: name }).toString();

/** Which step of 30 s a code belongs to; null if it is not a code of this key at this time. */
export function stepOfCode(key: string, code: string, now: number): number | null {
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(key) });
  const delta = totp.validate({ token: code, timestamp: now, window });
  return delta === null ? null : stepAt(now) + delta;
}

const stepAt = (now: number): number => Math.floor(now / stepLength);
