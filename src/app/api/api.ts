import { QueryClient, useQueryClient, type QueryClientConfig } from '@tanstack/react-query';
import { apiBase, csrfHeader } from '../../contract/bff/paths.ts';
import { bffReadApi } from '../../contract/bff/session.ts';
import type { Draft } from '../../contract/bff/draft.ts';
import { createClient } from '../../contract/http/client.ts';
import { readApi } from '../../contract/service/read-api.ts';
import { createReauthentication } from './reauthentication.ts';

/** What every query and mutation of one dashboard uses to reach the BFF. They find it by `apiOf(client)`. */
export type Api = ReturnType<typeof createApi>;

export function createApi(fetch: (request: Request) => Promise<Response>) {
  const reauthentication = createReauthentication();
  const options = {
    fetch,
    headers: { [csrfHeader.name]: csrfHeader.value },
    around: reauthentication.around,
  };
  const bffOptions = { ...options, base: location.origin };
  const serviceOptions = { ...options, base: `${location.origin}${apiBase}` };
  return {
    bffOptions,
    serviceOptions,
    /** What the first screen asks the BFF itself. */
    bff: createClient(bffReadApi, bffOptions),
    /** What the first screen asks the subscriber service, through the BFF. */
    service: createClient(readApi, serviceOptions),
    reauthentication,
    unfinished: createUnfinishedWork(),
  };
}

export type UnfinishedWork = ReturnType<typeof createUnfinishedWork>;

/** What is not finished in the name of the user; apart from the code that does it, which the first screen does not need. */
export function createUnfinishedWork() {
  return {
    /** The idempotency keys of changes, by operation and input: the same change again is sent with the same key. */
    changeKeys: new Map<string, string>(),
    /** Changes that wait before they ask again; `false` gives up. */
    retries: new Set<(goOn: boolean) => void>(),
    /** Drafts that could not be saved, by form. */
    unsavedDrafts: new Map<string, Draft>(),
    /** Sends what open forms have not sent yet. */
    draftFlushes: new Set<() => Promise<unknown>>(),
  };
}

/** Stops asking in the name of a user whose session is over. The same change after the next sign-in keeps its key. */
export function stopRetries({ retries }: UnfinishedWork): void {
  for (const end of retries) end(false);
}

/** Leaves nothing of one user's work to the next one. */
export function discardWork(unfinished: UnfinishedWork): void {
  stopRetries(unfinished);
  unfinished.changeKeys.clear();
  unfinished.unsavedDrafts.clear();
}

/** A query client that has its API with it, so that query functions need no module-level client. */
export class ApiQueryClient extends QueryClient {
  readonly api: Api;

  constructor(api: Api, config: QueryClientConfig) {
    super(config);
    this.api = api;
  }
}

/** @throws for a query client that `createQueryClient` has not made */
export function apiOf(client: QueryClient): Api {
  if (!(client instanceof ApiQueryClient)) throw new TypeError('This query client has no API.');
  return client.api;
}

export const useApi = (): Api => apiOf(useQueryClient());
