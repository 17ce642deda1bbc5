import type { About, CallingTab, User, Backend } from './backend.ts';

type Calls = Backend['calls'];
type Name = keyof Calls;
type Given<N extends Name> = Parameters<Calls[N]> extends [CallingTab, ...infer Rest] ? Rest : [];
type Result<N extends Name> = N extends 'fetch' ? Response : Awaited<ReturnType<Calls[N]>>;

/** An answer without its body, which follows in pieces. */
interface Head {
  status: number;
  headers: [string, string][];
  hasBody: boolean;
}

type TabMessage =
  | { kind: 'hello' }
  | { kind: 'here'; backend: string; about: About }
  | {
      kind: 'call';
      backend: string;
      number: number;
      caller: CallingTab;
      name: Name;
      given: readonly unknown[];
    }
  | { kind: 'result'; tab: string; number: number; value: unknown; head?: Head; user: User }
  | { kind: 'failure'; tab: string; number: number; message: string }
  /** Null at the end of the body. */
  | { kind: 'piece'; tab: string; number: number; bytes: Uint8Array<ArrayBuffer> | null };

const sendOn = (channel: BroadcastChannel) => (message: TabMessage) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: all of it has one origin
  channel.postMessage(message);

// Only this file sends on the channel.
const read = (event: MessageEvent) => event.data as TabMessage;

/** Lets the tabs on a channel call a backend, until the channel is closed. */
export function serveBackend(channel: BroadcastChannel, backend: Backend): void {
  const send = sendOn(channel);
  const id = crypto.randomUUID();
  const announce = () => send({ kind: 'here', backend: id, about: backend.about() });

  async function answer({ number, caller, name, given }: Extract<TabMessage, { kind: 'call' }>) {
    const to = { tab: caller.tab, number };
    try {
      // `call` below takes only what the backend's function of this name takes.
      const work = backend.calls[name] as (
        caller: CallingTab,
        ...given: readonly unknown[]
      ) => Promise<unknown>;
      const value = await work(caller, ...given);
      const user = await backend.userOf(caller);
      if (name === 'moveClock') announce();
      if (!(value instanceof Response)) return send({ kind: 'result', ...to, value, user });
      const { status, headers, body } = value;
      const head = { status, headers: [...headers], hasBody: body !== null };
      send({ kind: 'result', ...to, value: null, head, user });
      const reader = body?.getReader();
      for (let next = await reader?.read(); next; next = next.done ? undefined : await reader?.read())
        send({ kind: 'piece', ...to, bytes: next.done ? null : next.value });
    } catch (error) {
      send({ kind: 'failure', ...to, message: error instanceof Error ? error.message : String(error) });
    }
  }

  channel.addEventListener('message', (event) => {
    const message = read(event);
    if (message.kind === 'hello') announce();
    if (message.kind === 'call' && message.backend === id) void answer(message);
  });
  announce();
}

interface Tab {
  caller: () => CallingTab;
  /** Called when a backend is there, and when its clock was moved. Other calls wait for what this one does. */
  onBackend: (about: About, call: Call) => Promise<void>;
  onUser: (user: User) => void;
}

export type Call = <N extends Name>(name: N, ...given: Given<N>) => Promise<Result<N>>;

interface Waiting extends PromiseWithResolvers<unknown> {
  body?: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
}

/** Thrown for calls that were under way when the backend closed. */
class BackendClosed extends Error {}

/** Calls the backend that is served on a channel: the next one after it was closed. */
export function connectBackend(channel: BroadcastChannel, { caller, onBackend, onUser }: Tab) {
  const send = sendOn(channel);
  const { tab } = caller();
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let backend = '';
  let ready = Promise.withResolvers<void>();

  const callOnce = <N extends Name>(name: N, ...given: Given<N>) => {
    const number = (last += 1);
    const answered = Promise.withResolvers<unknown>();
    waiting.set(number, answered);
    send({ kind: 'call', backend, number, caller: caller(), name, given });
    // The backend's function of this name answers it.
    return answered.promise as Promise<Result<N>>;
  };
  /** All but changes of subscribers may be done a second time. */
  const call: Call = async (name, ...given) => {
    for (;;) {
      await ready.promise;
      try {
        return await callOnce(name, ...given);
      } catch (error) {
        if (!(error instanceof BackendClosed)) throw error;
      }
    }
  };

  const fail = (number: number, error: Error) => {
    const one = waiting.get(number);
    waiting.delete(number);
    one?.reject(error);
    one?.body?.error(error);
  };
  const meet = ({ backend: id, about }: Extract<TabMessage, { kind: 'here' }>) => {
    if (id === backend) return void onBackend(about, callOnce);
    backend = id;
    for (const number of waiting.keys()) fail(number, new BackendClosed());
    const next = Promise.withResolvers<void>();
    ready.resolve(next.promise);
    ready = next;
    onBackend(about, callOnce).then(next.resolve, next.reject);
  };
  const finish = ({ number, value, head, user }: Extract<TabMessage, { kind: 'result' }>) => {
    onUser(user);
    const one = waiting.get(number);
    if (!head?.hasBody) waiting.delete(number);
    if (!one || !head) return one?.resolve(value);
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => void (one.body = controller),
      cancel: () => void waiting.delete(number),
    });
    one.resolve(new Response(head.hasBody ? body : null, head));
  };
  channel.addEventListener('message', (event) => {
    const message = read(event);
    if (message.kind === 'here') meet(message);
    if (!('tab' in message) || message.tab !== tab) return;
    const { number } = message;
    if (message.kind === 'result') finish(message);
    if (message.kind === 'failure') fail(number, new Error(message.message));
    if (message.kind !== 'piece') return;
    const { body } = waiting.get(number) ?? {};
    if (message.bytes) return body?.enqueue(message.bytes);
    waiting.delete(number);
    body?.close();
  });
  send({ kind: 'hello' });
  return {
    call,
    /** Waits for a backend. */
    untilReady: () => ready.promise,
    /** Sends a request. A change that was under way when the backend closed counts as one whose answer was lost. */
    fetch: async (request: Request): Promise<Response> => {
      const { url, method } = request;
      const headers = [...request.headers];
      if (['GET', 'HEAD'].includes(method)) return call('fetch', { url, method, headers, body: null });
      const body = await request.arrayBuffer();
      await ready.promise;
      return callOnce('fetch', { url, method, headers, body: body.byteLength > 0 ? body : null }).catch(
        (error: unknown) => {
          if (error instanceof BackendClosed) return Response.error();
          throw error;
        },
      );
    },
  };
}
