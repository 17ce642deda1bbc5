import { onTestFinished } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient, type ApiError } from '../../../src/contract/http/client.ts';
import { apiBase, csrfHeader } from '../../../src/contract/bff/paths.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { openDemo } from '../../../src/demo/demo.ts';
import { createMemory } from '../../../src/demo/memory.ts';
import { defaultSettings, type Settings } from '../../../src/demo/settings.ts';
import { installShiftedDate } from '../../../src/demo/shifted-date.ts';
import type { Store, Stored } from '../../../src/demo/store.ts';
import { joinAlone } from '../../../src/demo/tabs.ts';
import { createDice } from '../../../src/service/samples/dice.ts';

const origin = 'http://dashboard.example';
export const day = 24 * 60 * 60_000;

const RealDate = Date;

/** The storage of a tab and that of its data, which its pages share. */
export function createStorage() {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
    /** What is stored of the data. */
    data: null as Stored | null,
    isFull: false,
    /** Where another tab stores the data. */
    shared: null as { data: Stored | null } | null,
  };
}

type Storage = Omit<ReturnType<typeof createStorage>, 'held'>;
export type Tab = Awaited<ReturnType<typeof openTab>>;

/**
 * A page of the demo with 25 subscribers, unless something else is asked for; opened again with its storage, a reload. Not
 * a `createTestDesk`, because how the demo puts BFF and service together is what its tests are about.
 */
export async function openTab(
  asked: Partial<Settings> = {},
  {
    storage = createStorage(),
    seed = 1,
    join = joinAlone,
  }: { storage?: Storage; seed?: number; join?: typeof joinAlone } = {},
) {
  // A new page has the browser's own.
  globalThis.Date = RealDate;
  onTestFinished(() => void (globalThis.Date = RealDate));
  const memory = createMemory(() => storage);
  const kept = memory.read();
  const settings = { ...defaultSettings, data: '25' as const, ...kept?.settings, ...asked };
  const waits: number[] = [];
  const demo = await openDemo({
    settings,
    kept,
    memory,
    dataId: 'test',
    store: storeIn(storage),
    join,
    present: installShiftedDate(settings.days * day),
    origin,
    random: createDice(seed).bytes,
    wait: async (ms) => void waits.push(ms),
  });
  const options = { fetch: asInPage(demo.fetch), headers: { [csrfHeader.name]: csrfHeader.value } };
  return {
    ...demo,
    memory,
    waits,
    service: createClient(api, { ...options, base: `${origin}${apiBase}` }),
    bff: createClient(bffApi, { ...options, base: origin }),
  };
}

/** In a browser, these data are in its database. */
function storeIn(storage: Storage): Store {
  const place = storage.shared ?? storage;
  let forgotten = false;
  return {
    read: async () => place.data,
    async write(stored) {
      if (!forgotten && !storage.isFull) place.data = stored;
      return !storage.isFull;
    },
    async forget() {
      forgotten = true;
      place.data = null;
    },
  };
}

/** A whole record by way of the BFF, and its version for a save. */
export async function readWhole({ service }: Tab, id = 1) {
  const include = ['bundles', 'ipAddresses', 'userAgents', 'countries'] as const;
  return service.getSubscriber({ params: { id }, query: { include: [...include] } });
}

/** The code of what a call fails with. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: ApiError) => error.code,
  );

/** `fetch` in a page throws for an answer that is lost. */
const asInPage = (fetch: (request: Request) => Promise<Response>) => async (request: Request) => {
  const answer = await fetch(request);
  if (answer.type === 'error') throw new TypeError('Failed to fetch');
  return answer;
};

let keys = 0;
/** What marks a change, so that it is done once. */
export const newKey = () => ({ 'Idempotency-Key': `key-of-one-test-${(keys += 1)}` });
