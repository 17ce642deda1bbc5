import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/bff/passkey.ts';
import { fromBase64url, seal, sha256, toBase64url, unseal } from '../../lib/crypto.ts';
import type { BffDeps, Transport } from '../deps.ts';
import type { BffTables, BffDb } from '../schema.ts';
import { loopback } from '../http/guards.ts';

/** Time that a challenge waits for its answer, in ms. */
export const challengeLife = 5 * 60_000;

/** EdDSA, ES256 and RS256 (COSE), which all authenticators have one of. */
export const passkeyAlgorithms = [-8, -7, -257];

/** Makes challenges and checks what authenticators answer. Where there is no site, nothing is right. */
export interface Passkeys {
  /** Null where passkeys are impossible. */
  readonly site: PasskeySite | null;
  /** Says why no passkey can be used at the address with this name, and what to do; null if one can. */
  unavailableReason(host: string): string | null;
  /** A challenge for adding a passkey to an account, or for signing in to any. Nothing is stored. */
  makeChallenge(staffId: string | null): Promise<string>;
  /** @returns the new passkey of the account; null if the answer is not right */
  checkRegistration(answer: PasskeyRegistration, staffId: string): Promise<NewPasskey | null>;
  /** Reads the passkey that an answer is of; null if it answers no challenge of ours, or its passkey is not known. */
  find(answer: PasskeyAssertion): Promise<FoundPasskey | null>;
}

/** The name that passkeys are bound to (the RP ID of Web Authentication), and the origin of the pages that use them. */
interface PasskeySite {
  id: string;
  origin: string;
}

interface NewPasskey {
  credentialId: string;
  /** The public key, sealed for the account, so that a row that is copied to another one opens nothing. */
  secret: string;
  counter: number;
  /** Uses the challenge up. @returns false if it was used before, even at the same moment */
  use(tx: Transaction<BffTables>): Promise<boolean>;
}

interface FoundPasskey {
  staffId: string;
  /** Checks the answer's signature; null if it is not right. */
  check(): Promise<CheckedPasskey | null>;
}

interface CheckedPasskey {
  /**
   * Uses the answer up. @returns false if its challenge or its signature counter was used before, even at the same
   * moment, or the passkey was removed
   */
  use(tx: Transaction<BffTables>): Promise<boolean>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'transport' | 'secondFactorKey'>;

export function createPasskeys({ db, clock, random, transport, secondFactorKey }: Deps): Passkeys {
  const site = siteOf(transport);
  const keyFor = (staffId: string | null) => `${secondFactorKey} ${staffId ?? ''}`;

  /** The challenge of an answer, if it was made here for this, and its time is not over. */
  async function readChallenge(clientDataJSON: string, staffId: string | null) {
    const challenge = challengeIn(clientDataJSON);
    const sealed = textOf(challenge ?? '');
    // The other ways to write it would be other challenges, which were not used yet.
    if (challenge === null || toBase64url(bytesOf(sealed)) !== challenge) return null;
    const until = await unseal('passkey-challenge', keyFor(staffId), sealed);
    const now = clock();
    // One that ends too late was made by a clock that was ahead.
    if (typeof until !== 'number' || until <= now || until > now + 2 * challengeLife) return null;
    return { challenge, use: (tx: Transaction<BffTables>) => spendOnce(tx, challenge, until) };
  }

  return {
    site,
    unavailableReason: (host) => unavailableReason(site, transport, host),

    async makeChallenge(staffId) {
      const until = clock() + challengeLife;
      return toBase64url(bytesOf(await seal('passkey-challenge', keyFor(staffId), until, random)));
    },

    async checkRegistration(answer, staffId) {
      const made = await readChallenge(answer.response.clientDataJSON, staffId);
      if (!site || !made || !(await isUncertified(answer))) return null;
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

    async find(answer) {
      const { id, response } = answer;
      const made = await readChallenge(response.clientDataJSON, null);
      if (!site || !made) return null;
      const found = db.selectFrom('second_factors').selectAll().where('credential_id', '=', id);
      const row = await found.where('kind', '=', 'passkey').executeTakeFirst();
      if (!row) return null;
      const { staff_id: staffId, last_counter: counter } = row;
      return {
        staffId,
        async check() {
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
          return { use };
        },
      };
    },
  };
}

/** Null where no browser makes passkeys: in a tab, without https, and where the host is an IP address. */
function siteOf(transport: Transport): PasskeySite | null {
  if (transport.kind === 'tab') return null;
  const url = new URL(transport.publicUrl);
  // All loopback addresses are ours, and of them only this one is a name.
  if (loopback.includes(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin, protocol } = url;
  const isName = !/^\[|^[\d.]+$/.test(hostname);
  return isName && (protocol === 'https:' || hostname === 'localhost') ? { id: hostname, origin } : null;
}

function unavailableReason(site: PasskeySite | null, transport: Transport, host: string): string | null {
  if (transport.kind === 'tab')
    return 'Passkeys are not possible here, because the demo has no server that could check them.';
  if (!site)
    return 'Passkeys need an address with https and a name, not a number. Ask an administrator for one.';
  if (host === site.id) return null;
  return `Passkeys are bound to a name, and this address is a number. Open ${site.origin} to use them.`;
}

/** Loaded with the first passkey: many installations have none, and no tab has one. */
const loadLibrary = () => import('@simplewebauthn/server');

/**
 * True if a new passkey comes without a certificate of its authenticator's maker, as it is asked for. The library fetches
 * lists of revoked ones from any address that a certificate names, before it knows whose certificate that is.
 */
async function isUncertified({ response }: PasskeyRegistration): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(fromBase64url(response.attestationObject));
    const isSelfSigned = attestation.get('fmt') === 'packed' && !attestation.get('attStmt').get('x5c');
    return isSelfSigned || attestation.get('fmt') === 'none';
  } catch {
    return false;
  }
}

/** The answer where the library throws: a stranger has sent something that it cannot read. */
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

/** True if the account, or any account without one given, has a passkey. */
export async function hasPasskeys(db: BffDb, staffId?: string): Promise<boolean> {
  const all = db.selectFrom('second_factors').select('id').where('kind', '=', 'passkey').limit(1);
  const found = staffId === undefined ? all : all.where('staff_id', '=', staffId);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Null for what no page of ours was answered: a frame of another site asks with `crossOrigin`. */
function challengeIn(clientDataJSON: string): string | null {
  const data = ClientData.safeParse(jsonIn(clientDataJSON));
  return data.success && data.data.crossOrigin !== true ? data.data.challenge : null;
}

const ClientData = z.object({ challenge: z.string(), crossOrigin: z.optional(z.boolean()) });

function jsonIn(base64url: string): unknown {
  try {
    return JSON.parse(textOf(base64url));
  } catch {
    return null;
  }
}

/** Empty if it is not base64url. */
function textOf(base64url: string): string {
  try {
    return new TextDecoder().decode(fromBase64url(base64url));
  } catch {
    return '';
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Deletes those that nobody could use again. The clocks of replicas differ a little. */
export async function deleteOldChallenges(db: BffDb, now: number): Promise<void> {
  await db
    .deleteFrom('used_challenges')
    .where('until', '<', now - challengeLife)
    .execute();
}

/**
 * Notes that something sealed here was used, such as a challenge. Only right answers get here, so strangers store nothing.
 *
 * @param until when it ends by itself
 * @returns false if it was used before; of two at once the second waits for the first
 */
export async function spendOnce(tx: Transaction<BffTables>, sealed: string, until: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows: noted } = await tx
    .insertInto('used_challenges')
    .values({ key: await sha256(sealed), until })
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
