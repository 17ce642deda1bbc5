import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import type { Reply } from '../../contract/http/client.ts';
import { apiOf } from './api.ts';
import { clientOf, type FullClient } from './client.ts';
import { sessionQuery, subscriberQuery } from './queries.ts';
import { sendIdempotent } from './send-idempotent.ts';
import type { Unconfirmed } from '../components/notice.tsx';

const subscribers = ['listSubscribers', 'getSubscriber', 'listActivity'] as const;
// What changes the second factor also ends the other sessions.
const secondFactor = ['getSecondFactor', 'listSessions', 'listActivity'] as const;
const jobs = ['listJobs', 'getJob', 'listJobRows', ...subscribers] as const;

type ClientOperation = keyof FullClient;

/** Data that each action makes out of date; `null` is everything. */
const outdates = {
  createSubscriber: ['listSubscribers', 'listActivity'],
  updateSubscriber: subscribers,
  regenerateToken: subscribers,
  deleteSubscriber: subscribers,
  undoChange: subscribers,
  revealToken: ['listActivity'],
  createJob: ['listJobs'],
  createImport: ['listJobs'],
  startJob: jobs,
  importAnyway: jobs,
  leaveOutRows: jobs,
  pauseJob: jobs,
  stopJob: jobs,
  retryJob: jobs,
  undoJob: jobs,
  startScan: ['getScan'],
  stopScan: ['getScan'],
  addView: ['listViews'],
  changeView: ['listViews'],
  deleteView: ['listViews'],
  addMessage: ['listMessages'],
  changeMessage: ['listMessages'],
  deleteMessage: ['listMessages'],
  saveBundles: ['listBundles'],
  addStaff: ['listStaff'],
  changeStaff: ['listStaff'],
  endStaffSessions: ['listStaff'],
  resetStaffPassword: ['listStaff'],
  resetSecondFactor: ['listStaff'],
  signIn: [],
  signInWithPasskey: [],
  // With a one-time password all reads were refused.
  changePassword: null,
  endSession: ['listSessions', 'listActivity'],
  endOtherSessions: ['listSessions', 'listActivity'],
  setUpApp: [],
  confirmApp: secondFactor,
  removeApp: secondFactor,
  addPasskey: secondFactor,
  removePasskey: secondFactor,
  renewRecoveryCodes: secondFactor,
} as const satisfies Partial<Record<ClientOperation, readonly ClientOperation[] | null>>;

export type ActionName = keyof typeof outdates;
export type ActionInput<N extends ActionName> = Parameters<FullClient[N]>[0];
export type ActionReply<N extends ActionName> = Reply<
  FullClient[N] extends (...call: never[]) => Promise<Reply<infer Data>> ? Data : never
>;

/** Options that go along with the input of a change of a subscriber. */
export interface ChangeOptions {
  /** The version that the user saw: the change is refused if somebody has changed it since. */
  etag?: string | null;
  /** The user's reason, for the journal. */
  reason?: string | undefined;
}

export interface Sent<Input> extends ChangeOptions {
  input: Input;
}

type Headers = Readonly<Record<string, string>>;

/** Sends an action; by default as its row of the endpoint table says. */
export type SendAction<N extends ActionName, Input> = (
  client: FullClient,
  input: Input,
  headers: Headers,
) => Promise<ActionReply<N>>;

/** Changes that the BFF makes once for a key. If their answer is lost, they are sent again with the same key. */
const repeatable = new Set<ActionName>([
  'createSubscriber',
  'updateSubscriber',
  'regenerateToken',
  'deleteSubscriber',
  'undoChange',
]);

export function mutationOf<N extends ActionName, Input = ActionInput<N>>(
  operation: N,
  onUnconfirmed: (unconfirmed: Unconfirmed | null) => void,
  // TypeScript can't see that the operation of a name takes the input of the same name.
  send: SendAction<N, Input> = (client, input, headers) =>
    client[operation](input as never, { headers }) as never,
) {
  const invalidates: readonly ClientOperation[] | null = outdates[operation];
  return {
    mutationKey: [operation],
    mutationFn: async (
      { input, etag, reason }: Sent<Input>,
      { client: cache }: { client: QueryClient },
    ): Promise<ActionReply<N>> => {
      const versioned: Headers = etag ? { 'If-Match': etag } : {};
      const sendWith = (headers: Headers) => send(clientOf(cache), input, { ...versioned, ...headers });
      if (!repeatable.has(operation)) return sendWith({});
      let isLost = false;
      const reply = await sendIdempotent(apiOf(cache).unfinished, {
        what: [operation, input, etag],
        guarded: operation !== 'createSubscriber' && etag !== null,
        reason,
        send: sendWith,
        onUnconfirmed: (unconfirmed) => {
          // If nothing answers, the banner at the top says so at once; and no longer than that.
          if (isLost !== (unconfirmed !== null))
            void cache.refetchQueries({ queryKey: sessionQuery.queryKey });
          isLost = unconfirmed !== null;
          onUnconfirmed(unconfirmed);
        },
      });
      keep(cache, operation, reply);
      return reply;
    },
    // The cache keeps no password, token or recovery code.
    gcTime: 0,
    ...(invalidates && { meta: { invalidates } }),
  };
}

/** Puts the saved record into the cache, because it is shown next. */
function keep(cache: QueryClient, operation: ActionName, reply: unknown): void {
  if (operation !== 'createSubscriber' && operation !== 'updateSubscriber') return;
  const saved = reply as ActionReply<typeof operation>;
  cache.setQueryData(subscriberQuery(saved.data.id).queryKey, saved);
}

/** Sends an action that goes on when the user opens another page. */
export const sendAction = <N extends ActionName>(
  cache: QueryClient,
  operation: N,
  input: ActionInput<N>,
  onUnconfirmed: (unconfirmed: Unconfirmed | null) => void = () => undefined,
): Promise<ActionReply<N>> =>
  new MutationObserver(cache, mutationOf(operation, onUnconfirmed)).mutate({ input });
