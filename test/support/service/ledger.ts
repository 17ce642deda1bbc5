import type { Api } from '../../../src/contract/service/api.ts';
import { ApiError, type Client } from '../../../src/contract/http/client.ts';
import { listNames, type SubscriberWithLists } from '../../../src/contract/service/subscriber.ts';

type Calls = Client<Api>;

/** A writer that remembers what the service has acknowledged, and what it may have done without an answer. */
export interface Writer {
  /** One write. Answers whether it was acknowledged; where it was not, call `check` next. */
  write: (client: Calls) => Promise<boolean>;
  /** Reads the subscriber. @returns what is lost or half done, as sentences; empty if all is well */
  check: (client: Calls) => Promise<string[]>;
}

interface Subscriber {
  id: number;
  change: number;
  token: string;
}

type Step = 'create' | 'update' | 'regenerate' | 'delete';

export function createWriter(name: string): Writer {
  let one: Subscriber | null = null;
  let pending: Step | null = null;
  let [made, writes] = [0, 0];
  const username = () => `${name}-${made}`;

  const next = (): Step => {
    if (!one) return 'create';
    writes += 1;
    return writes % 9 === 0 ? 'delete' : writes % 4 === 0 ? 'regenerate' : 'update';
  };

  const done: Record<Step, (client: Calls) => Promise<void>> = {
    async create(client) {
      made += 1;
      const { data } = await client.createSubscriber({ body: bodyOf(username(), 0) });
      one = { id: data.id, change: 0, token: data.accessToken };
    },
    async update(client) {
      const { id, change, token } = present(one);
      await client.updateSubscriber({ params: { id }, body: bodyOf(username(), change + 1) });
      one = { id, change: change + 1, token };
    },
    async regenerate(client) {
      const { id, change } = present(one);
      one = { id, change, token: (await client.regenerateToken({ params: { id } })).data.accessToken };
    },
    async delete(client) {
      await client.deleteSubscriber({ params: { id: present(one).id } });
      one = null;
    },
  };

  return {
    async write(client) {
      const step = next();
      pending = step;
      try {
        await done[step](client);
        pending = null;
        return true;
      } catch (error) {
        if (isUnknown(error)) return false;
        throw error;
      }
    },
    async check(client) {
      const query = { Username: username() };
      const { items } = (await client.listSubscribers({ query })).data;
      const listed = items.find((item) => item.username === username());
      const include = [...listNames];
      const found = listed
        ? (await client.getSubscriber({ params: { id: listed.id }, query: { include } })).data
        : null;
      const faults = faultsOf(found, one, pending).map((fault) => `${username()}: ${fault}`);
      one = found && { id: found.id, change: Number(found.note), token: found.accessToken };
      pending = null;
      return faults;
    },
  };
}

/** A body whose fields all hold the number of the change, so that one that is half done shows. */
function bodyOf(username: string, change: number) {
  return {
    username,
    email: `change-${change}@example.com`,
    expiresAt: new Date(Date.UTC(2027, 0, 1) + change * 1000).toISOString(),
    maxConnections: 1 + (change % 1000),
    isTrial: change % 2 === 0,
    note: String(change),
    hls: change % 2 === 0,
    mpegTs: change % 2 === 0,
    bundles: [change + 1],
    ipAddresses: [`10.0.${(change >> 8) & 255}.${change & 255}`],
    userAgents: [`Change/${change}`],
    countries: change % 2 === 0 ? ['NO'] : ['SE'],
  };
}

function faultsOf(found: SubscriberWithLists | null, one: Subscriber | null, pending: Step | null): string[] {
  if (!found) return one && pending !== 'delete' ? ['an acknowledged subscriber is lost'] : [];
  if (!one && pending !== 'create') return ['an acknowledged deletion is undone'];
  const { id, accessToken, status: _, ...fields } = found;
  const change = Number(found.note);
  const least = one?.change ?? 0;
  const most = least + (pending === 'update' ? 1 : 0);
  return [
    ...(sameFields(fields, bodyOf(found.username, change)) ? [] : ['a change is half done']),
    ...(change < least ? ['an acknowledged change is lost'] : []),
    ...(change > most ? ['a change was made that nobody sent'] : []),
    ...(one && one.id !== id ? ['it is another subscriber'] : []),
    ...(one && one.token !== accessToken && pending !== 'regenerate'
      ? ['an acknowledged access token is lost']
      : []),
  ];
}

function sameFields(fields: object, wanted: object): boolean {
  const sorted = (value: object) =>
    JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(fields) === sorted(wanted);
}

/** Whether the outcome of a write is unknown; an unreadable answer was cut off on its way. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return ['unreachable', 'unreadable'].includes(error.code) || error.status >= 500;
}

function present(one: Subscriber | null): Subscriber {
  if (!one) throw new Error('There is no subscriber to write.');
  return one;
}
