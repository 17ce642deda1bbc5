import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { idOf } from '../http/shapes.ts';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';
import { RecoveryCodes } from './second-factor.ts';
import { Session } from './session.ts';

// The shapes are those of Web Authentication, Level 3, with binary parts in base64url:
// https://www.w3.org/TR/webauthn-3/

/** Most passkeys of an account. */
export const mostPasskeys = 20;

const binary = (most: number) =>
  z.string().check(z.maxLength(most), z.regex(/^[A-Za-z0-9_-]*$/, 'This is not base64url.'));
/** Credential ids have at most 1023 bytes. */
const CredentialId = binary(1364).check(z.minLength(1));

const credential = { id: CredentialId, rawId: CredentialId, type: z.literal('public-key') };

/** Answer of an authenticator that has made a passkey; its other parts are not looked at. */
export const PasskeyRegistration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary(8000),
    attestationObject: binary(16_000),
    transports: z._default(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10)), []),
  }),
});
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

/** Answer of an authenticator that has used a passkey; its other parts are not looked at. */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary(8000),
    authenticatorData: binary(4000),
    signature: binary(4000),
    userHandle: z.optional(binary(100)),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** Options with which a browser makes a passkey. */
export const PasskeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  /** In ms. */
  timeout: z.number(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  /** The account's present ones: an authenticator that holds one of them makes no other. */
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** Options with which a browser uses a passkey, whichever the user picks. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** In ms. */
  timeout: z.number(),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

/** The rows of `bffApi` about passkeys. */
export const passkeyApi = {
  /** Nothing changes until it is added. */
  startPasskey: {
    method: 'POST',
    path: `${bffBase}/passkey-options`,
    access: 'signed-in',
    withoutSecondFactor: true,
    proof: true,
    answer: PasskeyCreation,
  },
  /** All other sessions end. */
  addPasskey: {
    method: 'POST',
    path: `${bffBase}/passkeys`,
    access: 'signed-in',
    withoutSecondFactor: true,
    body: PasskeyRegistration,
    /** None where the account had a second factor before. */
    answer: RecoveryCodes,
  },
  /** All other sessions end. */
  removePasskey: {
    method: 'DELETE',
    path: `${bffBase}/passkeys/{id}`,
    params: z.object({ id: idOf('a passkey') }),
    access: 'signed-in',
    proof: true,
    answer: z.undefined(),
  },
  getPasskeyRequest: {
    method: 'GET',
    path: `${bffBase}/session/passkey`,
    access: 'public',
    answer: PasskeyRequest,
  },
  signInWithPasskey: {
    method: 'POST',
    path: `${bffBase}/session/passkey`,
    access: 'public',
    body: PasskeyAssertion,
    answer: Session,
  },
} as const satisfies Record<string, BffEndpoint>;
