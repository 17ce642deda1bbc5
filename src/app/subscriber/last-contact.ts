import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Occasion } from '../../contract/bff/message.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { lastContactsOf } from '../api/api.ts';

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
