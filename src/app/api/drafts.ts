import { queryOptions } from '@tanstack/react-query';
import { createClient } from '../../contract/client.ts';
import { deskApi } from '../../contract/desk-api.ts';
import type { Draft } from '../../contract/draft.ts';
import { deskOptions } from './client.ts';

/** Its requests go out even while the page is being left. */
const desk = createClient(deskApi, {
  ...deskOptions,
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

/** Neither tells of a failure: typing goes on, and the next change keeps all of it. */
export const keepDraft = (form: string, body: Draft): Promise<unknown> =>
  desk.keepDraft({ params: { id: form }, body }).catch(() => null);
export const dropDraft = (form: string): Promise<unknown> =>
  desk.dropDraft({ params: { id: form } }).catch(() => null);
