import type { Kysely, Transaction } from 'kysely';
import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/bff/passkey.ts';
import { fromBase64url, seal, sha256, toBase64url, unseal } from '../../lib/crypto.ts';
import type { BffDeps } from '../deps.ts';
import type { BffTables } from '../schema.ts';
import { passkeySite, type PasskeySite } from './passkey-site.ts';

/** How long a challenge waits for its answer, in ms. */
export const challengeLife = 5 * 60_000;

/** EdDSA, ES256 and RS256 (COSE), which all authenticators have one of. */
export const passkeyAlgorithms = [-8, -7, -257];

/** Makes challenges and checks what authenticators answer. Where there is no site, nothing is right. */
export interface Passkeys {
  /** Null where passkeys are impossible. */
  readonly site: PasskeySite | null;
  /** A challenge for adding a passkey to an account, or for signing in to any. Nothing is stored. */
  makeChallenge(staffId: string | null): Promise<string>;
  /** @returns the new passkey of the account; null if the answer is not right */
  checkRegistration(answer: PasskeyRegistration, staffId: string): Promise<NewPasskey | null>;
  /** @returns the account that the passkey belongs to; null if the answer is not right */
  check(answer: PasskeyAssertion): Promise<CheckedPasskey | null>;
}

interface NewPasskey {
  credentialId: string;
  /** The public key, sealed for the account, so that a row that is copied to another one opens nothing. */
  secret: string;
  counter: number;
  /** Uses the challenge up. @returns false if it was used before, even at the same moment */
  use(tx: Transaction<BffTables>): Promise<boolean>;
}

export interface CheckedPasskey {
  staffId: string;
  /**
   * Uses the answer up. @returns false if its challenge or its signature counter was used before, even at the same
   * moment, or the passkey was removed
   */
  use(tx: Transaction<BffTables>): Promise<boolean>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'transport' | 'secondFactorKey'>;

export function createPasskeys({ db, clock, random, transport, secondFactorKey }: Deps): Passkeys {
  const site = passkeySite(transport);
  const keyFor = (staffId: string | null) => `${secondFactorKey} ${staffId ?? ''}`;

  /** The challenge of an answer, if it was made here for this, and its time is not over. */
  async function readChallenge(clientDataJSON: string, staffId: string | null) {
    const challenge = challengeIn(clientDataJSON);
    const until = await unseal('passkey-challenge', keyFor(staffId), textOf(challenge));
    const now = clock();
    // One that ends too late was made by a clock that was ahead.
    if (typeof until !== 'number' || until <= now || until > now + 2 * challengeLife) return null;
    return { challenge, use: (tx: Transaction<BffTables>) => spendChallenge(tx, challenge, until, now) };
  }

  return {
    site,

    async makeChallenge(staffId) {
      const until = clock() + challengeLife;
      return toBase64url(bytesOf(await seal('passkey-challenge', keyFor(staffId), until, random)));
    },

    async checkRegistration(answer, staffId) {
      const made = await readChallenge(answer.response.clientDataJSON, staffId);
      if (!site || !made) return null;
      const { verifyRegistrationResponse } = await loadLibrary();
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...answer, clientExtensionResults: {} },
        ...expectedOf(site, made.challenge),
        supportedAlgorithmIDs: passkeyAlgorithms,
      }).catch(() => notVerified);
      if (!registrationInfo) return null;
      const { id, publicKey, counter } = registrationInfo.credential;
      const secret = await seal('passkey', keyFor(staffId), toBase64url(publicKey), random);
      return { credentialId: id, secret, counter, use: made.use };
    },

    async check(answer) {
      const { id, response } = answer;
      const made = await readChallenge(response.clientDataJSON, null);
      if (!site || !made) return null;
      const found = db.selectFrom('second_factors').selectAll().where('credential_id', '=', id);
      const row = await found.where('kind', '=', 'passkey').executeTakeFirst();
      if (!row) return null;
      const { staff_id: staffId, last_counter: counter } = row;
      if (response.userHandle !== undefined && response.userHandle !== userHandleOf(staffId)) return null;
      const key = await unseal('passkey', keyFor(staffId), row.secret);
      if (typeof key !== 'string') return null;
      const { verifyAuthenticationResponse } = await loadLibrary();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...answer, response: definedOf(response), clientExtensionResults: {} },
        ...expectedOf(site, made.challenge),
        credential: { id, publicKey: fromBase64url(key), counter },
      }).catch(() => notVerified);
      if (!verified) return null;
      const { newCounter } = authenticationInfo;
      const use = async (tx: Transaction<BffTables>) =>
        (await made.use(tx)) && countUp(tx, row.id, newCounter, clock());
      return { staffId, use };
    },
  };
}

/** Loaded with the first passkey: many installations have none, and no tab has one. */
const loadLibrary = () => import('@simplewebauthn/server');

/** What its functions throw about is what a stranger has sent. */
const notVerified = { verified: false, registrationInfo: undefined, authenticationInfo: undefined } as const;

const expectedOf = ({ id, origin }: PasskeySite, expectedChallenge: string) => ({
  expectedChallenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true,
});

/** Without a user handle that is undefined. */
const definedOf = ({ userHandle, ...others }: PasskeyAssertion['response']) => ({
  ...others,
  ...(userHandle !== undefined && { userHandle }),
});

/** By what an authenticator knows an account. */
export const userHandleOf = (staffId: string): string => toBase64url(bytesOf(staffId));

/** Whether anybody can sign in with one. */
export async function hasPasskeys(db: Kysely<BffTables>, staffId?: string): Promise<boolean> {
  const all = db.selectFrom('second_factors').select('id').where('kind', '=', 'passkey').limit(1);
  const found = staffId === undefined ? all : all.where('staff_id', '=', staffId);
  return (await found.executeTakeFirst()) !== undefined;
}

function challengeIn(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(textOf(clientDataJSON));
    const isObject = typeof data === 'object' && data !== null && 'challenge' in data;
    return isObject && typeof data.challenge === 'string' ? data.challenge : '';
  } catch {
    return '';
  }
}

function textOf(base64url: string): string {
  try {
    return new TextDecoder().decode(fromBase64url(base64url));
  } catch {
    return '';
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/**
 * Notes that a challenge was answered. Only right answers get here, so strangers store nothing.
 *
 * @returns false if it was answered before; of two at once the second waits for the first
 */
async function spendChallenge(
  tx: Transaction<BffTables>,
  challenge: string,
  until: number,
  now: number,
): Promise<boolean> {
  // The clocks of replicas differ a little.
  await tx
    .deleteFrom('used_challenges')
    .where('until', '<', now - challengeLife)
    .execute();
  const { numInsertedOrUpdatedRows: noted } = await tx
    .insertInto('used_challenges')
    .values({ key: await sha256(challenge), until })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow();
  return noted === 1n;
}

/** A counter that stays or goes back shows a copied passkey; many authenticators count nothing and send 0 always. */
async function countUp(
  tx: Transaction<BffTables>,
  id: string,
  counter: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows: noted } = await tx
    .updateTable('second_factors')
    .set({ last_counter: counter, last_used_at: now })
    .where('id', '=', id)
    .where('last_counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst();
  return noted === 1n;
}
