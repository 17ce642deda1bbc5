import * as z from 'zod/mini';
import { ListQuery } from '../../contract/service/list-query.ts';
import { searchText, spokenAddress, wordsRefusal } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { hasLongWord, isTokenLike, tokenInText } from '../../contract/bff/access-token.ts';

/** The filters that can be typed into the find box, before a colon. */
export const termNames = [
  'ip',
  'country',
  'app',
  'bundle',
  'status',
  'expires',
  'plan',
  'note',
  'token',
] as const;

/** A filter that is typed, such as `country:NO`; its value is empty while it is being typed. */
export interface Term {
  name: (typeof termNames)[number];
  value: string;
}

/** The meaning of the text in the find box. */
export type Finding =
  | {
      kind: 'token';
      accessToken: string;
      /** True if only Enter says that it is the whole token. */
      needsEnter?: boolean;
    }
  | { kind: 'fragment' }
  | { kind: 'refused'; reason: string }
  | {
      kind: 'filter';
      username: string | undefined;
      email: string | undefined;
      id: number | null;
      /** They become filters with Enter. */
      terms: readonly Term[];
      /** True if it may be a part of a token all the same, so that only Enter makes it a filter. */
      needsEnter: boolean;
    };

/** A key that goes to what the text finds, as soon as that is known; Escape closes the pane. */
export type PressedKey = 'Enter' | 'Shift+Enter' | 'ArrowDown' | 'Escape';

/** An address, or a range of them, as far as its signs tell. */
const addressLike = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]{0,4}:[\da-f.]{0,4}:[\da-f:.]*)(\/\d{1,3})?$/i;

/** A word before a colon, which is not that of a link, and what follows: words in quotes, or one word. */
const typedTerm = /(?<=^|\s)([a-z]+):(?!\/\/)[^\S\n]?("[^"]*"?|[^\s"]*)\s*/gi;

/** A token that is called so, whatever another service makes tokens of. Four characters may be the end of one. */
const namedToken = /^\s*token:\s*(\S{5,})\s*$/i;

/** Words before a colon that a text may have in front of it, as it was copied. */
const textNames = ['username', 'email'];

/**
 * A token opens its subscriber. Words such as `country:NO` are filters, and so is an address alone. With an `@`, also a spoken
 * one, the rest is an email, digits may be an id, and anything else is a username.
 */
export function readFindText(text: string): Finding {
  const accessToken = tokenInText(text);
  if (accessToken) return { kind: 'token', accessToken };
  const named = namedToken.exec(text)?.[1];
  if (named !== undefined) return { kind: 'token', accessToken: named, needsEnter: true };
  if (addressLike.test(text.trim())) return { ...nothing, terms: [{ name: 'ip', value: text.trim() }] };
  const { rest, terms, unknown } = splitTerms(text);
  if (unknown !== undefined) {
    const known = termNames.map((name) => `${name}:`).join(', ');
    return { kind: 'refused', reason: `There’s no filter “${unknown}:”. There are ${known}.` };
  }
  const word = spokenAddress(rest) ?? rest.trim();
  // While a token is typed, it stays out of the address.
  if ([rest, ...terms.map(({ value }) => value)].some(isTokenLike)) return { kind: 'fragment' };
  // Sixteen digits may be a part of a token, unless they are called an id.
  const digits = /^(?:#?[1-9]\d{0,14}|#[1-9]\d{15})$/.test(word) ? Number(word.replace('#', '')) : null;
  const id = Number.isSafeInteger(digits) ? digits : null;
  const isEmail = word.includes('@');
  const field = isEmail ? ListQuery.shape.Email : ListQuery.shape.Username;
  const refused = z.safeDecode(field, word).error?.issues[0]?.message ?? wordsRefusal(word);
  if (refused !== undefined) return { kind: 'refused', reason: refused };
  if (isEmail) return { ...nothing, email: word, terms };
  const isReference = word.startsWith('#') && id !== null;
  const username = isReference ? undefined : word || undefined;
  return { ...nothing, username, id, terms, needsEnter: !isReference && hasLongWord(word) };
}

/** True for a subscriber whose whole username or email is the text: one before may have a longer name with it. */
export const isCalled =
  (text = '') =>
  ({ username, email }: Pick<Subscriber, 'username' | 'email'>): boolean =>
    [username, email].some((name) => searchText(name) === searchText(text));

const nothing = {
  kind: 'filter',
  username: undefined,
  email: undefined,
  id: null,
  terms: [],
  needsEnter: false,
} as const;

/** Takes the filters out of a text. */
function splitTerms(text: string) {
  const terms: Term[] = [];
  let unknown: string | undefined;
  const rest = text.replaceAll(typedTerm, (_, typed: string, value: string) => {
    const name = termNames.find((one) => one === typed.toLowerCase());
    if (name) terms.push({ name, value: value.replaceAll('"', '').trim() });
    else if (textNames.includes(typed.toLowerCase())) return `${value.replaceAll('"', '')} `;
    else unknown = typed;
    return '';
  });
  return { rest, terms, unknown };
}
