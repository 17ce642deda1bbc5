import * as z from 'zod/mini';
import { ListQuery } from '../../contract/service/list-query.ts';
import { spokenAddress } from '../../contract/service/search-text.ts';
import { hasLongWord, isTokenLike, tokenInText } from '../../contract/bff/access-token.ts';

/** The meaning of the text in the find box. */
export type Finding =
  | { kind: 'token'; accessToken: string }
  | { kind: 'fragment' }
  | { kind: 'refused'; reason: string }
  | {
      kind: 'filter';
      username: string | undefined;
      email: string | undefined;
      id: number | null;
      /** True if it may be a part of a token all the same, so that only Enter makes it a filter. */
      needsEnter: boolean;
    };

/** A key that goes to what the text finds, as soon as that is known; Escape closes the pane. */
export type PressedKey = 'Enter' | 'Shift+Enter' | 'ArrowDown' | 'Escape';

/** A token opens its subscriber. With an `@`, also a spoken one, it is an email, digits may be an id, and anything else is a username. */
export function readFindText(text: string): Finding {
  const accessToken = tokenInText(text);
  if (accessToken) return { kind: 'token', accessToken };
  const wanted = spokenAddress(text) ?? text.trim();
  // While a token is typed, it stays out of the address.
  if (isTokenLike(text)) return { kind: 'fragment' };
  const id = /^#?[1-9]\d{0,14}$/.test(wanted) ? Number(wanted.replace('#', '')) : null;
  const field = wanted.includes('@') ? ListQuery.shape.Email : ListQuery.shape.Username;
  const refused = z.safeDecode(field, wanted).error?.issues[0]?.message;
  if (refused !== undefined) return { kind: 'refused', reason: refused };
  if (wanted.includes('@'))
    return { kind: 'filter', username: undefined, email: wanted, id, needsEnter: false };
  const isReference = wanted.startsWith('#') && id !== null;
  const username = isReference ? undefined : wanted || undefined;
  return { kind: 'filter', username, email: undefined, id, needsEnter: hasLongWord(wanted) };
}
