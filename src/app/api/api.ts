import {
  notifyManager,
  QueryClient,
  useQueryClient,
  type Query,
  type QueryCache,
  type QueryClientConfig,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { bffApi } from '../../contract/bff/api.ts';
import { apiBase, csrfHeader, firstReads, unattendedHeader } from '../../contract/bff/paths.ts';
import type { AnyDraft } from '../../contract/bff/draft.ts';
import type { Occasion } from '../../contract/bff/message.ts';
import { createClient } from '../../contract/http/client.ts';
import type { api } from '../../contract/service/api.ts';
import { createStore } from '../../lib/store.ts';
import { createReauthentication } from './reauthentication.ts';

/** The rows of a table that the first view needs. */
type FirstReads<Table, Part extends keyof typeof firstReads> = Pick<
  Table,
  keyof (typeof firstReads)[Part] & keyof Table
>;

/** The way to the BFF for all queries and mutations of one dashboard, which find it by `apiOf(client)`. */
export type Api = ReturnType<typeof createApi>;

/**
 * @param options.now a clock in ms, by which it knows how long nobody has used the page
 * @param options.patience in ms: how long it waits for the answer to a change; longer than the BFF takes to read and to answer
 */
export function createApi(
  fetch: (request: Request) => Promise<Response>,
  { now = () => performance.now(), patience = 60_000 } = {},
) {
  const reauthentication = createReauthentication();
  const isUnattended = watchUse(now);
  const options = {
    fetch(request: Request) {
      if (isUnattended()) request.headers.set(unattendedHeader.name, unattendedHeader.value);
      if (request.method === 'GET') return fetch(request);
      // A connection can be dead without anybody saying so. What waits for it can't be closed.
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(patience)]);
      return fetch(new Request(request, { signal }));
    },
    headers: { [csrfHeader.name]: csrfHeader.value },
    around: reauthentication.around,
  };
  const bffOptions = { ...options, base: location.origin };
  const serviceOptions = { ...options, base: `${location.origin}${apiBase}` };
  return {
    bffOptions,
    serviceOptions,
    /** The BFF's own reads that the first view needs. */
    bff: createClient<FirstReads<typeof bffApi, 'bff'>>(firstReads.bff, bffOptions),
    /** The reads of the subscriber service, through the BFF. */
    service: createClient<FirstReads<typeof api, 'service'>>(firstReads.service, serviceOptions),
    reauthentication,
    unfinished: createUnfinishedWork(),
  };
}

/** Time that nobody has touched the page when it counts as unattended, in ms. */
const attendedFor = 60_000;

function watchUse(now: () => number): () => boolean {
  let usedAt = now();
  for (const event of ['pointerdown', 'keydown', 'wheel', 'click', 'input'])
    addEventListener(event, () => (usedAt = now()), { capture: true, passive: true });
  return () => now() - usedAt >= attendedFor;
}

export type UnfinishedWork = ReturnType<typeof createUnfinishedWork>;

/** The user's unfinished changes and drafts. The first view does not need the code that works on them. */
export function createUnfinishedWork() {
  return {
    /** The idempotency keys of changes, by operation and input, so that a repeated change has the same key. */
    changeKeys: new Map<string, string>(),
    /** Ends the pause of each change that waits before its next try; `false` gives up. */
    retries: new Set<(goOn: boolean) => void>(),
    /** Drafts that could not be saved yet, by form. */
    unsavedDrafts: new Map<string, AnyDraft>(),
    /** Sends what open forms have not sent yet. */
    draftFlushes: new Set<() => Promise<unknown>>(),
  };
}

/** Sends nothing more for a user whose session has ended. If they repeat a change later, it keeps its key. */
export function stopRetries({ retries }: UnfinishedWork): void {
  for (const end of retries) end(false);
}

/** Gives up a user's unfinished changes, which another role may not make. Drafts stay. */
export function discardChanges(unfinished: UnfinishedWork): void {
  stopRetries(unfinished);
  unfinished.changeKeys.clear();
}

/** Clears one user's work before the next user signs in. */
export function discardWork(unfinished: UnfinishedWork): void {
  discardChanges(unfinished);
  unfinished.unsavedDrafts.clear();
}

/** A query client with its API, so that query functions need no module-level client, and with the user's state. */
export class ApiQueryClient extends QueryClient {
  readonly api: Api;
  /** Stores of the user's choices and actions in this window. */
  readonly state = {
    selection: createStore(noSelection),
    lastContacts: createStore<ReadonlyMap<number, LastContact>>(new Map()),
  };
  readonly active = createActiveQueries(this.getQueryCache());

  constructor(api: Api, config: QueryClientConfig) {
    super(config);
    this.api = api;
  }

  /** Before the next user signs in. */
  override clear(): void {
    super.clear();
    this.forgetState();
  }

  /** Where the next user signs in over the page. */
  forgetState(): void {
    this.state.selection.set(noSelection);
    this.state.lastContacts.set(new Map());
  }
}

/**
 * The queries whose data is shown now, for what looks at all of them. They are searched once for all events of a moment,
 * by one subscription: two components that did so at each event made a tenth of the calls for opening a pane.
 */
export function createActiveQueries(cache: QueryCache) {
  const changes = createStore(undefined);
  let found: readonly Query[] | null = null;
  // Batched and after rendering, like the notifications of the library's own hooks.
  const notify = notifyManager.batchCalls(() => changes.set(undefined));
  cache.subscribe(({ type }) => {
    if (type === 'observerResultsUpdated' || !found) return;
    found = null;
    notify();
  });
  return {
    get: () => (found ??= cache.findAll({ type: 'active' })),
    subscribe: changes.subscribe,
  };
}

/** The selection, which survives other pages. */
export interface Selection {
  /** The ids of subscribers, in the order of selecting; null while selecting is off. */
  selected: readonly number[] | null;
  /** The filter of the list that it is made from, once known. With another one, the selection ends. */
  filter: string | null;
  /** True if all that match the filter are selected, also on other pages. */
  all: boolean;
  /** The job that was prepared for the selection. */
  jobId: string | null;
}

/** At first, and while selecting is off. */
export const noSelection: Selection = { selected: null, filter: null, all: false, jobId: null };

/** The last action on a subscriber, and the expiry that it had then. */
type LastContact = { occasion: Occasion; expiresAt: string };

/** @throws for a query client that `createQueryClient` has not made */
function own(client: QueryClient): ApiQueryClient {
  if (!(client instanceof ApiQueryClient)) throw new TypeError('This query client has no API.');
  return client;
}

export const apiOf = (client: QueryClient): Api => own(client).api;
export const useApi = (): Api => apiOf(useQueryClient());

/** A value computed from the queries that are shown now. `read` has to return the same value until it changes. */
export function useActiveQueries<T>(read: (active: readonly Query[]) => T): T {
  const { active } = own(useQueryClient());
  return useSyncExternalStore(active.subscribe, () => read(active.get()));
}

export const selectionOf = (client: QueryClient) => own(client).state.selection;
export const lastContactsOf = (client: QueryClient) => own(client).state.lastContacts;
export const forgetState = (client: QueryClient): void => own(client).forgetState();
