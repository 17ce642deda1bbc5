import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { fillMessage, placeholdersIn, type Message, type Occasion } from '../../contract/bff/message.ts';
import { playlistUrlOf } from '../../contract/bff/access-token.ts';
import type { Bundle } from '../../contract/bff/bundle.ts';
import type { SubscriberWithLists, Subscriber } from '../../contract/service/subscriber.ts';
import { clientOf } from '../api/client.ts';
import { locale, localeFor } from '../components/locale.ts';
import { createPreference } from '../components/preference.ts';
import { lastContactsOf } from '../api/api.ts';

/** The texts to copy for subscribers. They change rarely: each pane would ask for them otherwise. */
export const messagesQuery = queryOptions({
  queryKey: ['listMessages'],
  queryFn: async ({ client, signal }) => (await clientOf(client).listMessages({}, { signal })).data,
  staleTime: 10 * 60_000,
});

/** The language of the message that was copied last; it comes first the next time. */
export const messageLanguage = createPreference('message-language', (stored) => stored ?? 'en');

const languageNames = new Intl.DisplayNames(locale, { type: 'language' });

/** "Norwegian Bokmål". */
export const languageName = (tag: string): string => languageNames.of(tag) ?? tag;

/** Stands for the token and the playlist address, which are secret, wherever a message is shown. */
const hidden = '••••••••••••';

/** True if a text names the token, alone or in the playlist address. */
export const needsToken = (text: string): boolean =>
  needsPlaylistUrl(text) || placeholdersIn(text).includes('token');

export const needsPlaylistUrl = (text: string): boolean => placeholdersIn(text).includes('playlistUrl');

/** The fields of a recipient that a message can name. */
type Recipient = Pick<SubscriberWithLists, 'username' | 'expiresAt' | 'bundles'>;

/** True unless a text names what a subscriber does not have. */
export function hasAllIn(text: string, { expiresAt, bundles = [] }: Recipient): boolean {
  const named = placeholdersIn(text);
  const hasExpiry = !Number.isNaN(Date.parse(expiresAt));
  return (hasExpiry || !named.includes('expires')) && (bundles.length > 0 || !named.includes('bundles'));
}

/**
 * The text of a message for a subscriber, its date in the language of the message.
 *
 * @param known the bundles that have a name
 * @param accessToken undefined to hide it, and the playlist address
 * @param template of playlist addresses, where the deployment has one
 */
export function messageText(
  { text, language }: Pick<Message, 'text' | 'language'>,
  { username, expiresAt, bundles = [] }: Recipient,
  known: readonly Bundle[],
  accessToken?: string,
  template?: string,
): string {
  const isShown = accessToken !== undefined && template !== undefined;
  const playlistUrl = isShown ? playlistUrlOf(template, { accessToken, username }) : hidden;
  const names = bundles.map((number) => known.find((one) => one.number === number)?.name ?? String(number));
  const locale = localeFor(language, navigator.language);
  const list = new Intl.ListFormat(locale).format(names);
  const expires = expiryIn(locale, Date.parse(expiresAt));
  return fillMessage(text, { username, expires, bundles: list, token: accessToken ?? hidden, playlistUrl });
}

/** "1 July 2026 at 12:00 CEST": the subscriber may be in another zone than this browser. */
function expiryIn(locale: string, at: number): string {
  if (Number.isNaN(at)) return '';
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}

type About = Pick<Subscriber, 'id' | 'expiresAt'>;

/** Lets the page of a subscriber offer the message for what was just done. */
export function noteContact(client: QueryClient, { id, expiresAt }: About, occasion: Occasion): void {
  const lastContacts = lastContactsOf(client);
  lastContacts.set(new Map(lastContacts.get()).set(id, { occasion, expiresAt }));
}

/** The last contact about a subscriber; null if nothing was, or if it was an extension that has been undone since. */
export function useLastContact({ id, expiresAt }: About): Occasion | null {
  const lastContacts = lastContactsOf(useQueryClient());
  const last = useSyncExternalStore(lastContacts.subscribe, () => lastContacts.get().get(id));
  return !last || (last.occasion === 'extended' && last.expiresAt !== expiresAt) ? null : last.occasion;
}
