import { isVisible, movesText } from '../service/rules.ts';
import { isPlainText } from './endpoint.ts';
import type { FieldErrors } from './problem.ts';
import { invalidInput, Refusal } from './refusal.ts';

/** The headers that a change may have, and the one on its answer. Each is optional. */
export const changeHeaders = {
  /** The same key again is the same change: it is done once, and answered the same for a day. */
  key: 'Idempotency-Key',
  /** Why the user does it, percent-encoded UTF-8. */
  reason: 'X-Change-Reason',
  /** `true` on the answer of a change that was done before. */
  replayed: 'Idempotency-Replayed',
} as const;

/**
 * Reads an `If-Match`: the entity tags one of which must be the record's (RFC 9110 section 13.1.1).
 *
 * @returns null where every version is allowed: without the header, and for `*`
 */
export function readIfMatch(header: string | null): string[] | null {
  if (header === null || header.trim() === '*') return null;
  return header.match(entityTags) ?? [];
}

/** A tag may hold a comma between its quotes. What is no tag stays as it is, and so equals none. */
const entityTags = /(?:W\/)?"[^"]*"|[^\s,]+/g;

/** In characters. */
export const changeLimits = { key: { least: 16, most: 128 }, reason: 500 } as const;

/** A reason as a person types or pastes it, without what no reason may hold and nobody sees. */
export function cleanReason(typed: string): string {
  const text = [...typed].filter((character) => !movesText(character)).join('');
  return isVisible(text) ? text : '';
}

/** A reason as its header has it. */
export function writeReason(reason: string): string {
  return encodeURIComponent(reason);
}

/**
 * Reads the headers of a change.
 *
 * @throws {Refusal} `invalid-input`, naming the header at fault
 */
export function readChangeHeaders(headers: Headers): { key: string | null; reason: string | null } {
  const [key, written] = [headers.get(changeHeaders.key), headers.get(changeHeaders.reason)];
  const reason = written === null ? null : decode(written);
  const errors = keyErrors(key);
  if (reason !== null && !isReason(reason)) errors[changeHeaders.reason] = [wantsReason];
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return { key, reason: reason?.trim() || null };
}

/**
 * Reads the one header of a change that the service knows as well.
 *
 * @throws {Refusal} `invalid-input`, naming the header
 */
export function readChangeKey(headers: Headers): string | null {
  const key = headers.get(changeHeaders.key);
  const errors = keyErrors(key);
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return key;
}

function keyErrors(key: string | null): FieldErrors {
  return key === null || keyPattern.test(key) ? {} : { [changeHeaders.key]: [wantsKey] };
}

const keyPattern = new RegExp(`^[!-~]{${changeLimits.key.least},${changeLimits.key.most}}$`);
const wantsKey = `Use ${changeLimits.key.least} to ${changeLimits.key.most} visible ASCII characters.`;
const wantsReason = `Use at most ${changeLimits.reason} visible characters on one line, without marks that turn the direction of text, percent-encoded.`;

const isReason = (text: string) =>
  isPlainText(text) &&
  [...text].length <= changeLimits.reason &&
  !movesText(text) &&
  (text.trim() === '' || isVisible(text));

/** A control character, which no reason may hold, where it cannot be decoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '\0';
  }
}

/** How long the answer to a change is remembered under its `Idempotency-Key`, in ms. */
export const keyLifetime = 24 * 3_600_000;

/**
 * Checks that a key came with the same request as before.
 *
 * @throws {Refusal} `key-used-before`
 */
export function checkFingerprint(stored: string, sent: string): void {
  if (stored === sent) return;
  throw keyUsedBefore('This key was used for another change. Use a new one for each change.');
}

export function keyUsedBefore(sentence: string): Refusal {
  return new Refusal('key-used-before', sentence, { errors: { [changeHeaders.key]: [sentence] } });
}
