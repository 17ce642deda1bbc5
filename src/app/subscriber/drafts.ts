import { queryOptions } from '@tanstack/react-query';
import { draftApi, type Draft } from '../../contract/bff/draft.ts';
import { createClient } from '../../contract/http/client.ts';
import type { Api } from '../api/api.ts';
import { clientOf } from '../api/client.ts';

/** @param form the id of a subscriber, or `new` */
export const draftQuery = (form: string) =>
  queryOptions({
    queryKey: ['getDraft', form],
    queryFn: async ({ client, signal }) =>
      (await clientOf(client).getDraft({ params: { id: form } }, { signal })).data,
    // Read only when a form opens, whatever else is read again: later the form itself is newer.
    enabled: ({ state }) => state.dataUpdateCount === 0,
    gcTime: 0,
    retry: false,
  });

/** Saves a draft. A failure is not shown, because the next change saves everything again. */
export async function keepDraft(api: Api, form: string, body: Draft): Promise<void> {
  const { unsavedDrafts } = api.unfinished;
  unsavedDrafts.delete(form);
  await quietClient(api)
    .keepDraft({ params: { id: form }, body })
    .catch(() => unsavedDrafts.set(form, body));
}

/** Deletes a draft. A failure is not shown either. */
export async function dropDraft(api: Api, form: string): Promise<void> {
  api.unfinished.unsavedDrafts.delete(form);
  await quietClient(api)
    .dropDraft({ params: { id: form } })
    .catch(() => null);
}

/** A client whose requests go out even while the page closes, and open no sign-in dialog while the user types. */
const quietClient = ({ bffOptions }: Api) =>
  createClient(draftApi, {
    ...bffOptions,
    around: undefined,
    fetch: (request) => fetch(new Request(request, { keepalive: true })),
  });

/** Calls `flush` of an open form before drafts are saved, so that it sends its latest. @returns how to end that */
export function onSavingDrafts({ unfinished }: Api, flush: () => Promise<unknown>): () => void {
  unfinished.draftFlushes.add(flush);
  return () => unfinished.draftFlushes.delete(flush);
}

/** Saves what was typed while the session had ended. Call it when the same user has signed in again. */
export async function saveDrafts(api: Api): Promise<void> {
  const { draftFlushes, unsavedDrafts } = api.unfinished;
  await Promise.all([...draftFlushes].map((flush) => flush()));
  await Promise.all([...unsavedDrafts].map(([form, body]) => keepDraft(api, form, body)));
}
