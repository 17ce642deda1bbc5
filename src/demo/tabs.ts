/** Asks the tab that leads to do something with its data. @throws if it refuses, or closes meanwhile */
export type Ask = (what: string, ...given: unknown[]) => Promise<unknown>;

/** What the tab that leads does for the others. */
export interface Host {
  answer: (tab: string, what: string, given: readonly unknown[]) => Promise<unknown>;
  /** A tab has closed. */
  forget: (tab: string) => void;
}

/** How a tab gets to the data: it has them itself, or asks the tab that has. */
export type Access =
  | {
      leads: true;
      /** From now on the others can ask. */
      serve: (host: Host) => void;
      /** Tells all others something. */
      tell: (news: unknown) => void;
    }
  | { leads: false; ask: Ask };

export interface TabListener {
  /** Called again when the tab that led has closed: what was asked of it has failed then. */
  onAccess: (access: Access) => void;
  onNews: (news: unknown) => void;
}

type Message =
  | { kind: 'hello' | 'ready'; from: string }
  | { kind: 'news'; news: unknown }
  | { kind: 'ask'; from: string; to: string; number: number; what: string; given: unknown[] }
  | {
      kind: 'answer';
      to: string;
      number: number;
      value?: unknown;
      error?: { name: string; message: string };
    };

const forever = new Promise<never>(() => undefined);

/** Where the browser has no locks or channels, each tab is on its own. */
export const joinAlone = ({ onAccess }: TabListener) =>
  onAccess({ leads: true, serve: () => undefined, tell: () => undefined });

/**
 * Joins the tabs of this name. The first one leads. When it closes, the browser gives its lock to another, which leads
 * from then on.
 *
 * @param own the id of this tab
 */
export function joinTabs(name: string, own: string, { onAccess, onNews }: TabListener): void {
  const { locks } = navigator;
  const channel = new BroadcastChannel(name);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: all of it has one origin
  const send = (message: Message) => channel.postMessage(message);
  let leader: ReturnType<typeof follow> | null = null;
  let host: Host | null = null;
  let leads = false;
  const met = new Set<string>();

  function follow(id: string) {
    const waiting = new Map<number, PromiseWithResolvers<unknown>>();
    let last = 0;
    let isLost = false;
    const ask: Ask = async (what, ...given) => {
      if (isLost) throw lost();
      const number = (last += 1);
      const answered = Promise.withResolvers<unknown>();
      waiting.set(number, answered);
      send({ kind: 'ask', from: own, to: id, number, what, given });
      return answered.promise;
    };
    return {
      id,
      ask,
      receive({ number, value, error }: Extract<Message, { kind: 'answer' }>) {
        const answered = waiting.get(number);
        waiting.delete(number);
        if (error) answered?.reject(Object.assign(new Error(error.message), { name: error.name }));
        else answered?.resolve(value);
      },
      lose() {
        isLost = true;
        for (const { reject } of waiting.values()) reject(lost());
      },
    };
  }

  const followNext = (id: string) => {
    if (leads || leader?.id === id) return;
    leader?.lose();
    leader = follow(id);
    onAccess({ leads: false, ask: leader.ask });
  };

  /** A tab that asks holds a lock of its own, which this one gets when it closes. */
  const meet = (tab: string) => {
    if (met.has(tab)) return;
    met.add(tab);
    void locks.request(lockOf(name, tab), () => host?.forget(tab));
  };

  const answer = async ({ from, number, what, given }: Extract<Message, { kind: 'ask' }>) => {
    meet(from);
    const to = { kind: 'answer', to: from, number } as const;
    try {
      send({ ...to, value: await host?.answer(from, what, given) });
    } catch (thrown) {
      const { name: kind, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
      send({ ...to, error: { name: kind, message } });
    }
  };

  channel.addEventListener('message', (event) => {
    // Only this script sends on this channel.
    const message = event.data as Message;
    if (message.kind === 'hello' && host) send({ kind: 'ready', from: own });
    if (message.kind === 'ready') followNext(message.from);
    if (message.kind === 'news') onNews(message.news);
    if (message.kind === 'ask' && message.to === own) void answer(message);
    if (message.kind === 'answer' && message.to === own) leader?.receive(message);
  });

  const lead = () => {
    leads = true;
    leader?.lose();
    onAccess({
      leads: true,
      serve(given) {
        host = given;
        send({ kind: 'ready', from: own });
      },
      tell: (news) => send({ kind: 'news', news }),
    });
    return forever;
  };
  void locks.request(lockOf(name, own), () => {
    void locks.request(name, lead);
    send({ kind: 'hello', from: own });
    return forever;
  });
}

const lost = () => new Error('The tab that has the data was closed.');

const lockOf = (name: string, tab: string) => `${name} ${tab}`;

/** The ends of the names, beginning like this, that a tab leads, sorted. */
export async function findNames(beginning: string): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  return held
    .flatMap(({ name = '' }) => (name.startsWith(beginning) ? [name.slice(beginning.length)] : []))
    .filter((end) => !end.includes(' '))
    .toSorted();
}
