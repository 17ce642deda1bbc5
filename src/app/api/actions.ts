import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import { type Reply, ApiError } from '../../contract/http/client.ts';
import { apiOf, type UnfinishedWork } from './api.ts';
import { clientOf, type FullClient } from './client.ts';
import { sessionQuery, subscriberQuery } from './queries.ts';
import type { Unconfirmed } from '../components/notice.tsx';
import { changeHeaders, writeReason } from '../../contract/http/change-headers.ts';
import { RefusedAfterLostAnswer } from './action-errors.ts';

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

interface IdempotentRequest<Result> {
  /** The operation and its input. The same again gets the same key. */
  what: unknown;
  /** True if the BFF would refuse it the second time, because it names the version that it changes. */
  guarded: boolean;
  /** The user's reason, for the journal. */
  reason?: string | undefined;
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>;
  /** Called while it is unknown whether the change was done, and with null as soon as that is known. */
  onUnconfirmed: (unconfirmed: Unconfirmed | null) => void;
}

/**
 * Makes a change once. If its answer is lost, it is sent again with the same key: then the BFF repeats the answer, not
 * the change.
 */
export async function sendIdempotent<Result>(
  { changeKeys, retries }: UnfinishedWork,
  { what, guarded, reason, send, onUnconfirmed }: IdempotentRequest<Result>,
): Promise<Result> {
  const name = JSON.stringify(what);
  const key = changeKeys.get(name) ?? crypto.randomUUID();
  changeKeys.set(name, key);
  const given = reason?.trim();
  const headers = { [changeHeaders.key]: key, ...(given && { [changeHeaders.reason]: writeReason(given) }) };
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await send(headers);
      changeKeys.delete(name);
      onUnconfirmed(null);
      return result;
    } catch (error) {
      const goesOn = isLost(error, tries) && (await pause(retries, tries, onUnconfirmed));
      if (goesOn) continue;
      if (isFinal(error, guarded)) changeKeys.delete(name);
      onUnconfirmed(null);
      if (tries > 1 && error instanceof ApiError && aboutTheSender.has(error.status))
        throw new RefusedAfterLostAnswer(error);
      throw error;
    }
  }
}

/** True if another request can bring the outcome. */
function isLost(error: unknown, tries: number): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  if (code === 'unreachable' || (code === 'other' && status >= 500)) return true;
  // The change that is in progress is this one, whose answer was lost.
  return tries > 1 && (code === 'change-under-way' || code === 'busy');
}

/** Statuses that refuse the user, not the change. */
const aboutTheSender = new Set([401, 403, 421, 429]);

/** True if the change itself is refused. Otherwise it may be sent again with its key. */
function isFinal(error: unknown, guarded: boolean): boolean {
  if (!(error instanceof ApiError) || aboutTheSender.has(error.status)) return false;
  // The BFF will never know. A repeat with a new key is safe only if it names the version.
  if (error.code === 'outcome-unknown') return guarded;
  return error.status >= 400 && error.status < 500 && error.code !== 'change-under-way';
}

/** Before each further request, in ms: short at first, longer later. */
const pauses = [1_000, 2_000, 4_000, 8_000] as const;
const longestPause = 15_000;

/** Waits until the pause is over, the connection is back or the user asks. @returns whether to continue */
async function pause(
  retries: UnfinishedWork['retries'],
  tries: number,
  onUnconfirmed: IdempotentRequest<unknown>['onUnconfirmed'],
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const askNow = () => resolve(true);
  const timer = setTimeout(askNow, pauses[tries - 1] ?? longestPause);
  window.addEventListener('online', askNow);
  retries.add(resolve);
  onUnconfirmed({ asking: false, askNow });
  const goesOn = await promise;
  clearTimeout(timer);
  window.removeEventListener('online', askNow);
  retries.delete(resolve);
  if (goesOn) onUnconfirmed({ asking: true, askNow });
  return goesOn;
}
