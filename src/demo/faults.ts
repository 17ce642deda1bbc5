import type { UpstreamExchange } from '../bff/upstream/exchange.ts';
import { changeHeaders } from '../contract/http/change-headers.ts';
import { apiBase, csrfHeader } from '../contract/bff/paths.ts';
import { ApiError, createClient } from '../contract/http/client.ts';
import { api } from '../contract/service/api.ts';
import { limits } from '../contract/service/limits.ts';
import type { Fault } from './settings.ts';

export type LocalFetch = (request: Request) => Promise<Response>;

interface Switches {
  isOn: (fault: Fault) => boolean;
  turnOff: (fault: Fault) => void;
}

/** Milliseconds. */
const slowness = 2000;

/** The faults between the page and the BFF: slow or lost answers, a session that ends, a colleague who saves first. */
export function withPageFaults(
  fetch: LocalFetch,
  parts: Switches & {
    wait: (ms: number) => Promise<void>;
    endSession: () => Promise<void>;
    /** Has a colleague save a subscriber. */
    editMeanwhile: (id: number) => Promise<void>;
  },
): LocalFetch {
  const { isOn, turnOff, wait, endSession, editMeanwhile } = parts;
  // Each fault happens once per change, so that saving again after a merge or a lost answer works.
  const isFirstSave = createAlternation();
  const isFirstAnswer = createAlternation();
  return async (request) => {
    if (isOn('session-ends')) {
      turnOff('session-ends');
      await endSession();
    }
    const id = savedSubscriber(request);
    if (id !== null && isOn('edits-meanwhile') && isFirstSave(String(id))) await editMeanwhile(id);
    const key = request.headers.get(changeHeaders.key);
    const answer = await fetch(request);
    if (isOn('slow')) await wait(slowness);
    return key !== null && isOn('lost-answers') && isFirstAnswer(key) ? Response.error() : answer;
  };
}

/** The faults between the BFF and the service: some calls, or all, fail before the service has done anything. */
export function withServiceFaults(
  exchange: UpstreamExchange,
  { isOn, chance }: Pick<Switches, 'isOn'> & { /** From 0, below 1. */ chance: () => number },
): UpstreamExchange {
  return async (request) => {
    if (isOn('down') || (isOn('flaky') && chance() < 1 / 3))
      throw Object.assign(new Error('The service refuses to connect.'), { code: 'ECONNREFUSED' });
    return exchange(request);
  };
}

/** The id of the subscriber that a request saves; null for other requests. */
function savedSubscriber({ method, url }: Request): number | null {
  const [, id] = new RegExp(`^${apiBase}/subscribers/(\\d+)$`).exec(new URL(url).pathname) ?? [];
  return method === 'PUT' && id !== undefined ? Number(id) : null;
}

/** Makes a function that is true for every other call with the same name, from the first. */
function createAlternation() {
  const seen = new Set<string>();
  return (name: string): boolean => {
    if (seen.delete(name)) return false;
    seen.add(name);
    return true;
  };
}

export type ServiceClient = ReturnType<typeof createServiceClient>;

/** Changes subscribers by way of the BFF, as the dashboard does. */
export const createServiceClient = (fetch: LocalFetch, origin: string) =>
  createClient(api, {
    fetch,
    base: `${origin}${apiBase}`,
    headers: { [csrfHeader.name]: csrfHeader.value },
  });

/** Saves a subscriber as the colleague: adds a note and changes the number of connections. */
export async function editAsColleague(client: ServiceClient, id: number): Promise<void> {
  const params = { id };
  try {
    const { data, etag } = await client.getSubscriber({ params, query: {} });
    const note = [data.note, 'Called, and was called back.'].filter(Boolean).join('\n');
    const body = { note, maxConnections: (data.maxConnections % limits.connections) + 1 };
    await client.updateSubscriber({ params, body }, etag === null ? {} : { headers: { 'If-Match': etag } });
  } catch (error) {
    // If the subscriber is deleted or cannot be read, nothing is edited.
    if (!(error instanceof ApiError)) throw error;
  }
}
