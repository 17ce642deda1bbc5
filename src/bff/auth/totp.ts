import { Secret, TOTP } from 'otpauth';

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

export const stepAt = (now: number): number => Math.floor(now / stepLength);
