import { queryOptions } from '@tanstack/react-query';
import { createClient } from '../../contract/http/client.ts';
import { bffApi } from '../../contract/bff/api.ts';
import type { Draft } from '../../contract/bff/draft.ts';
import { deskOptions } from './read-client.ts';
import { onLeaving } from './session-events.ts';
import { desk } from './client.ts';

/** Its requests go out even while the page is being left, and ask for no password while somebody types. */
const quiet = createClient(bffApi, {
  ...deskOptions,
  around: undefined,
  fetch: (request) => fetch(new Request(request, { keepalive: true })),
});

/** @param form the id of a subscriber, or `new` */
export const draftQuery = (form: string) =>
  queryOptions({
    queryKey: ['getDraft', form],
    queryFn: async ({ signal }) => (await desk.getDraft({ params: { id: form } }, { signal })).data,
    // Asked for whenever a form opens, and not again while it is open: then the form itself knows best.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

/** What could not be kept, as after the end of the session. */
const unkept = new Map<string, Draft>();

/** Neither tells of a failure: typing goes on, and the next change keeps all of it. */
export async function keepDraft(form: string, body: Draft): Promise<void> {
  unkept.delete(form);
  await quiet.keepDraft({ params: { id: form }, body }).catch(() => unkept.set(form, body));
}
export async function dropDraft(form: string): Promise<void> {
  unkept.delete(form);
  await quiet.dropDraft({ params: { id: form } }).catch(() => null);
}

const flushes = new Set<() => Promise<unknown>>();

/** Lets a form send what it has not sent yet, whenever all is to be kept. Answers how to end that. */
export function onKeepingAll(flush: () => Promise<unknown>): () => void {
  flushes.add(flush);
  return () => flushes.delete(flush);
}

/** Keeps what was typed while nobody was signed in, now that the same person is again. */
export async function keepAll(): Promise<void> {
  await Promise.all([...flushes].map((flush) => flush()));
  await Promise.all([...unkept].map(([form, body]) => keepDraft(form, body)));
}

onLeaving((why) => {
  if (why === 'signed-out') unkept.clear();
});
