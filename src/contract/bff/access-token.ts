import * as z from 'zod/mini';
import '../http/zod-config.ts';
import { Person } from '../http/shapes.ts';
import { listNames } from '../service/limits.ts';
import { AccessToken } from '../service/subscriber.ts';

const dots = '•'.repeat(12);

/** The shortest token whose last four characters are shown: in a shorter one they would be more than half. */
const leastToTell = 8;

/** Masks a token: dots, and the last four characters to tell tokens apart. */
export function maskedToken(accessToken: string): string {
  if (isMasked(accessToken)) return accessToken;
  return accessToken.length < leastToTell ? dots : `${dots}${accessToken.slice(-4)}`;
}

/** A record with its token masked. */
export const masked = <T extends { accessToken: string }>(record: T): T => ({
  ...record,
  accessToken: maskedToken(record.accessToken),
});

/** True for a masked token, as viewers get it. */
export function isMasked(accessToken: string): boolean {
  return accessToken.startsWith(dots);
}

/** 32 bytes in base64url, a UUID or 32 to 64 hexadecimal digits, on their own or inside a playlist link. */
const token =
  /(?<![\w-])([\w-]{43}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{32,64})(?![\w-])/i;

/** So many characters of a token in a row may be a part of one. */
const longWord = /[\w-]{16,}/g;

/** True if a text has a word that is long enough for a part of a token. It may also be a name. */
export const hasLongWord = (text: string): boolean => text.search(longWord) >= 0;

/** True if a text holds something like a token or a part of one, also with white space in it. */
export const isTokenLike = (text: string): boolean =>
  joinedWords(text).match(longWord)?.some(looksRandom) ?? false;

/** Both cases, and as many changes between cases, digits and signs as random characters have: names have fewer. */
function looksRandom(word: string): boolean {
  const runs = word.match(/[a-z]+|[A-Z]+|\d+|[-_]+/g) ?? [];
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && runs.length > 0.4 * word.length;
}

/** White space, and what mail programs put where a line may break. */
const joinedWords = (text: string): string => text.replaceAll(/[\s\u00ad\u200b-\u200d\u2060]+/g, '');

/** The first access token in a text, or null. White space may have broken it, as mail programs break long lines. */
export function tokenInText(text: string): string | null {
  const whole = token.exec(text)?.[0];
  if (whole !== undefined) return whole;
  const joined = token.exec(joinedWords(text))?.[0];
  // The words of a sentence may have 43 letters together.
  return joined !== undefined && looksRandom(joined) ? joined : null;
}

/** Refuses a text with an access token: views are stored, and their names are on the screen all day. */
export const holdsNoToken = z.refine<string | undefined>(
  (text) => tokenInText(text ?? '') === null,
  'This contains an access token, which is secret. Remove it.',
);

const accessToken = AccessToken.shape.accessToken.check(z.minLength(1, 'Enter an access token.'));

/** Asks for the subscriber with a token. */
export const FindByToken = z.strictObject({
  accessToken,
  // Each may be a request of its own to another service.
  include: z._default(z.array(z.enum(listNames)).check(z.maxLength(listNames.length)), []),
});

/** Asks for the subscriber that had a token before. */
export const FindPreviousToken = z.strictObject({ accessToken });

/** The last subscriber of an access token, and who replaced the token or deleted the subscriber. `at` is in UTC. */
export const PreviousToken = z.object({
  operation: z.enum(['regenerateToken', 'deleteSubscriber']),
  by: Person,
  at: z.string(),
  subscriber: z.object({ id: z.int(), username: z.string() }),
});
export type PreviousToken = z.infer<typeof PreviousToken>;

/**
 * The playlist address of a subscriber, made from the template of the deployment. It holds the access token, so it is as
 * secret as the token is.
 *
 * @param template an address with `{token}`, and perhaps `{username}`
 */
export function playlistUrlOf(template: string, of: { accessToken: string; username: string }): string {
  const values: Readonly<Record<string, string>> = { token: of.accessToken, username: of.username };
  // In one pass: a username may itself look like a placeholder.
  return template.replace(/\{(token|username)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}

/** True for a template of https addresses that `playlistUrlOf` can fill. */
export function isPlaylistTemplate(template: string): boolean {
  if (!template.includes('{token}') || template.length > 500 || /[\s\p{Cc}]/u.test(template)) return false;
  // A token in the name of the host would be sent to the server that has that name.
  if (!/^https:\/\/[^/?#{}@\\]+[/?#]/.test(template)) return false;
  const filled = playlistUrlOf(template, { accessToken: 'a', username: 'a' });
  return !/[{}]/.test(filled) && URL.canParse(filled);
}
