import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../../../src/contract/service/api.ts';
import { ApiError, type Client } from '../../../src/contract/http/client.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import type { SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import type { SubscriberWithLists } from '../../../src/contract/service/subscriber.ts';

type Calls = Client<Api>;

/** A subscriber as it was acknowledged. */
interface Known {
  id: number;
  change: number;
  token: string;
}

type Step = 'create' | 'update' | 'regenerate' | 'delete';

/** A writer that remembers what the service has acknowledged, and what it may have done without an answer. */
export function createWriter(name: string) {
  let known: Known | null = null;
  let pending: Step | null = null;
  let [created, writes] = [0, 0];
  const username = () => `${name}-${created}`;

  const nextStep = (): Step => {
    if (!known) return 'create';
    writes += 1;
    return writes % 9 === 0 ? 'delete' : writes % 4 === 0 ? 'regenerate' : 'update';
  };

  /** @returns the subscriber that it leads to */
  async function take(step: Step, client: Calls): Promise<Known | null> {
    if (!known) {
      created += 1;
      const { data } = await client.createSubscriber({ body: bodyOf(username(), 0) });
      return { id: data.id, change: 0, token: data.accessToken };
    }
    const params = { id: known.id };
    if (step === 'delete') {
      await client.deleteSubscriber({ params });
      return null;
    }
    if (step === 'regenerate')
      return { ...known, token: (await client.regenerateToken({ params })).data.accessToken };
    const change = known.change + 1;
    await client.updateSubscriber({ params, body: bodyOf(username(), change) });
    return { ...known, change };
  }

  return {
    /** One write. Answers whether it was acknowledged; where it was not, call `check` next. */
    async write(client: Calls): Promise<boolean> {
      pending = nextStep();
      try {
        known = await take(pending, client);
        pending = null;
        return true;
      } catch (error) {
        if (isUnknown(error)) return false;
        throw error;
      }
    },
    /** Reads the subscriber. @returns what is lost or half done, as sentences; empty if all is well */
    async check(client: Calls): Promise<string[]> {
      const { items } = (await client.listSubscribers({ query: { Username: username() } })).data;
      const listed = items.find((item) => item.username === username());
      const include = [...listNames];
      const found = listed
        ? (await client.getSubscriber({ params: { id: listed.id }, query: { include } })).data
        : null;
      const faults = faultsOf(found, known, pending).map((fault) => `${username()}: ${fault}`);
      known = found && { id: found.id, change: Number(found.note), token: found.accessToken };
      pending = null;
      return faults;
    },
  };
}

/** A body whose fields all hold the number of the change, so that one that is half done shows. */
function bodyOf(username: string, change: number): SubscriberInput {
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

function faultsOf(found: SubscriberWithLists | null, known: Known | null, pending: Step | null): string[] {
  if (!found) return known && pending !== 'delete' ? ['an acknowledged subscriber is lost'] : [];
  if (!known && pending !== 'create') return ['an acknowledged deletion is undone'];
  const { id, accessToken, status: _, ...fields } = found;
  const change = Number(found.note);
  const least = known?.change ?? 0;
  const most = least + (pending === 'update' ? 1 : 0);
  const isLost = known !== null && known.token !== accessToken && pending !== 'regenerate';
  const faults: [isSo: boolean, fault: string][] = [
    [!isDeepStrictEqual(fields, bodyOf(found.username, change)), 'a change is half done'],
    [change < least, 'an acknowledged change is lost'],
    [change > most, 'a change was made that nobody sent'],
    [known !== null && known.id !== id, 'it is another subscriber'],
    [isLost, 'an acknowledged access token is lost'],
  ];
  return faults.filter(([isSo]) => isSo).map(([, fault]) => fault);
}

/** True if the outcome of a write is unknown; an unreadable answer was cut off on its way. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return ['unreachable', 'unreadable'].includes(error.code) || error.status >= 500;
}
