import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

/** Proofs of who signs in, besides the password; a recovery code stands in for any of them. */
export const secondFactorKinds = ['totp', 'passkey', 'recovery-code'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** A code of the authenticator app, or a recovery code, however it is typed. */
export const Code = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter the code.'), z.maxLength(64, 'Use at most 64 characters.'));

/** Below this, people are told to make new recovery codes. */
export const fewRecoveryCodes = 2;

/** The second factor of the user's own account. */
export const SecondFactor = z.object({
  /** The authenticator app; times in UTC. Null where there is none. */
  app: z.nullable(z.object({ since: z.string(), lastUsedAt: z.nullable(z.string()) })),
  /** In the order in which they were added; `name` is the browser that added it. */
  passkeys: z.array(
    z.object({ id: z.string(), name: z.string(), since: z.string(), lastUsedAt: z.nullable(z.string()) }),
  ),
  /** Why none can be added at this address, and what to do; null if one can. */
  noPasskeys: z.nullable(z.string()),
  /** Number of unused recovery codes. */
  recoveryCodes: z.int(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** A new key for an authenticator app, which counts only once a code of the app was sent with `setup`. */
export const AppSetup = z.object({
  /** The key in Base32, for people who cannot scan, and as the address that apps scan. */
  key: z.string(),
  uri: z.string(),
  /** The key once more, sealed for this account and some minutes. */
  setup: z.string(),
});
export type AppSetup = z.infer<typeof AppSetup>;

const ConfirmAppBody = z.strictObject({ setup: z.string().check(z.maxLength(1000)), code: Code });

/** Each opens the account once instead of a code. No other answer has them, because only digests are stored. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** The rows of `bffApi` by which users see to their second factor. */
export const secondFactorApi = {
  getSecondFactor: {
    method: 'GET',
    path: `${bffBase}/second-factor`,
    access: 'signed-in',
    withoutSecondFactor: true,
    answer: SecondFactor,
  },
  /** Nothing changes until it is confirmed. */
  setUpApp: {
    method: 'POST',
    path: `${bffBase}/second-factor/app`,
    access: 'signed-in',
    withoutSecondFactor: true,
    proof: true,
    answer: AppSetup,
  },
  /** Takes the place of a former one. All other sessions end. */
  confirmApp: {
    method: 'PUT',
    path: `${bffBase}/second-factor/app`,
    access: 'signed-in',
    withoutSecondFactor: true,
    body: ConfirmAppBody,
    answer: RecoveryCodes,
  },
  /** All other sessions end. */
  removeApp: {
    method: 'DELETE',
    path: `${bffBase}/second-factor/app`,
    access: 'signed-in',
    proof: true,
    answer: z.undefined(),
  },
  /** All other sessions end. */
  renewRecoveryCodes: {
    method: 'POST',
    path: `${bffBase}/second-factor/recovery-codes`,
    access: 'signed-in',
    proof: true,
    answer: RecoveryCodes,
  },
} as const satisfies Record<string, BffEndpoint>;
