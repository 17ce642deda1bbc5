import { queryOptions } from '@tanstack/react-query';
import { draftApi, noteForm, type AnyDraft } from '../../contract/bff/draft.ts';
import { createClient } from '../../contract/http/client.ts';
import type { Api } from '../api/api.ts';
import { clientOf } from '../api/client.ts';

/** @param form the id of a subscriber, or `new` */
export const draftQuery = (form: string) =>
  queryOptions({
    queryKey: ['getDraft', form],
    queryFn: async ({ client, signal }) => {
      const { data } = await clientOf(client).getDraft({ params: { id: form } }, { signal });
      return data && 'values' in data ? data : null;
    },
    // Read only when a form opens, whatever else is read again: later the form itself is newer.
    enabled: ({ state }) => state.dataUpdateCount === 0,
    gcTime: 0,
  });

/** The line that is being written for a subscriber's note, empty if none is. It is read once; from then on it is what was typed. */
export const noteDraftQuery = (id: number) =>
  queryOptions({
    queryKey: ['getDraft', noteForm(id)],
    queryFn: async ({ client, signal, queryKey }) => {
      const { data } = await clientOf(client).getDraft({ params: { id: noteForm(id) } }, { signal });
      // What was typed while it was read is newer.
      const typed = client.getQueryData<string>(queryKey);
      return typed ?? (data && 'line' in data ? data.line : '');
    },
    staleTime: Infinity,
  });

/** Saves a draft. A failure is not shown, because the next change saves everything again. */
async function keepDraft(api: Api, form: string, body: AnyDraft): Promise<void> {
  const { unsavedDrafts } = api.unfinished;
  unsavedDrafts.delete(form);
  await quietClient(api)
    .keepDraft({ params: { id: form }, body })
    .catch(() => unsavedDrafts.set(form, body));
}

/** Deletes a draft. A failure is not shown either. */
async function dropDraft(api: Api, form: string): Promise<void> {
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
    fetch: (request) => bffOptions.fetch(new Request(request, { keepalive: true })),
  });

/** Long enough that a word is one request, short enough that little is lost by a crash; in ms. */
const pause = 400;

/** Sends one request at a time, so that a late save does not bring a deleted draft back. */
export function createKeeper(api: Api, form: string) {
  let pending: AnyDraft | null = null;
  let isKept = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const stop = () => {
    clearTimeout(timer);
    pending = null;
  };
  const flush = () => {
    const draft = pending;
    stop();
    if (draft) queue = queue.then(() => keepDraft(api, form, draft));
    return queue;
  };
  return {
    note: (draft: AnyDraft) => {
      isKept = true;
      pending = draft;
      clearTimeout(timer);
      timer = setTimeout(flush, pause);
    },
    flush,
    stop,
    forget: () => {
      stop();
      if (isKept) queue = queue.then(() => dropDraft(api, form));
      isKept = false;
    },
  };
}

/** Calls `flush` of an open form before drafts are saved or the page is left, so that it sends its latest. @returns how to end that */
export function onSavingDrafts({ unfinished }: Api, flush: () => Promise<unknown>): () => void {
  const flushNow = () => void flush();
  unfinished.draftFlushes.add(flush);
  window.addEventListener('pagehide', flushNow);
  return () => {
    unfinished.draftFlushes.delete(flush);
    window.removeEventListener('pagehide', flushNow);
  };
}

/** Saves what was typed while the session had ended. Call it when the same user has signed in again. */
export async function saveDrafts(api: Api): Promise<void> {
  const { draftFlushes, unsavedDrafts } = api.unfinished;
  await Promise.all([...draftFlushes].map((flush) => flush()));
  await Promise.all([...unsavedDrafts].map(([form, body]) => keepDraft(api, form, body)));
}
