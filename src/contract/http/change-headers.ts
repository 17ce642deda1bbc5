import { entryHeader } from './endpoint.ts';
import { isPlainText } from './plain-text.ts';
import { isVisible, movesText } from './text.ts';
import { invalidInput, Problem } from './problem.ts';

/** The optional headers of a change, and those on its answer. */
export const changeHeaders = {
  /** Requests with the same key are one change: it is made once, and answered the same for a day. */
  key: 'Idempotency-Key',
  /** Why the user makes the change, percent-encoded UTF-8. */
  reason: 'X-Change-Reason',
  /** `true` on the answer to a change that was made before. */
  replayed: 'Idempotency-Replayed',
  /** The id of the change's entry in the journal. */
  entry: entryHeader,
} as const;

/**
 * Reads the entity tags of an `If-Match`; the record must have one of them (RFC 9110 section 13.1.1).
 *
 * @returns null if any version is allowed: without the header, and for `*`
 */
export function readIfMatch(header: string | null): string[] | null {
  if (header === null || header.trim() === '*') return null;
  return header.match(entityTags) ?? [];
}

/** A tag may contain a comma between its quotes. Anything that is not a tag stays as it is, and equals no tag. */
const entityTags = /(?:W\/)?"[^"]*"|[^\s,]+/g;

/** In characters. */
export const changeLimits = { key: { least: 16, most: 128 }, reason: 500 } as const;

/** Removes from a reason, as a person typed or pasted it, what no reason may contain and nobody can see. */
export function cleanReason(typed: string): string {
  // A blank for each tab: what is pasted from a table has tabs between words.
  const characters = [...typed.replaceAll(/\p{Cc}/gu, ' ')];
  const text = characters.filter((one) => isPlainText(one) && !movesText(one)).join('');
  return isVisible(text) ? text : '';
}

/** Writes a reason for its header. */
export function writeReason(reason: string): string {
  return encodeURIComponent(reason);
}

/**
 * Reads the headers of a change.
 *
 * @throws {Problem} `invalid-input`, naming the header at fault
 */
export function readChangeHeaders(headers: Pick<Headers, 'get'>) {
  const reason = decode(headers.get(changeHeaders.reason) ?? '');
  if (!isReason(reason)) throw invalidInput({ [changeHeaders.reason]: [wantsReason] });
  return { key: readChangeKey(headers), reason: reason.trim() || null };
}

/** The same for the `Idempotency-Key`, the only header of a change that the service knows as well. */
export function readChangeKey(headers: Pick<Headers, 'get'>): string | null {
  const key = headers.get(changeHeaders.key);
  if (key !== null && !keyPattern.test(key)) throw invalidInput({ [changeHeaders.key]: [wantsKey] });
  return key;
}

const keyPattern = new RegExp(`^[!-~]{${changeLimits.key.least},${changeLimits.key.most}}$`);
const wantsKey = `Use ${changeLimits.key.least} to ${changeLimits.key.most} visible ASCII characters, without spaces.`;
const wantsReason = `Use at most ${changeLimits.reason} visible characters on one line, without marks that change the direction of text, percent-encoded.`;

/** True if a text can be the reason of a change. */
export const isReason = (text: string): boolean =>
  isPlainText(text) &&
  [...text].length <= changeLimits.reason &&
  !movesText(text) &&
  (text.trim() === '' || isVisible(text));

/** The decoded text; if it cannot be decoded, a control character, which no reason may contain. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '\0';
  }
}

/** Time that the answer to a change is remembered under its `Idempotency-Key`, in ms. */
export const keyLifetime = 24 * 3_600_000;

/**
 * Checks that a key came with the same request as before.
 *
 * @throws {Problem} `key-used-before`
 */
export function checkFingerprint(stored: string, sent: string): void {
  if (stored === sent) return;
  throw keyUsedBefore(
    'This Idempotency-Key was used for another change. Nothing was changed. Use a new key for each change.',
  );
}

export function keyUsedBefore(sentence: string): Problem {
  return new Problem('key-used-before', sentence, { errors: { [changeHeaders.key]: [sentence] } });
}
