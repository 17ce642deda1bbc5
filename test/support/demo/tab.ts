import { onTestFinished } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient, type ApiError } from '../../../src/contract/http/client.ts';
import { apiBase, csrfHeader } from '../../../src/contract/bff/paths.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { listNames } from '../../../src/contract/service/subscriber.ts';
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
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    /** What is stored of the data. */
    data: null as Stored | null,
    isFull: false,
    /** Where another tab stores the data. */
    shared: null as { data: Stored | null } | null,
  };
}

type Storage = ReturnType<typeof createStorage>;
export type Tab = Awaited<ReturnType<typeof openTab>>;

/**
 * A page of the demo with 25 subscribers, unless something else is requested; opened again with its storage, a reload. Not
 * a `createTestDesk`, because how the demo puts BFF and service together is what its tests are about.
 */
export async function openTab(
  requested: Partial<Settings> = {},
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
  const settings = { ...defaultSettings, data: '25' as const, ...kept?.settings, ...requested };
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
  /** `fetch` in a page throws for an answer that is lost. */
  const fetch = async (request: Request) => {
    const answer = await demo.fetch(request);
    if (answer.type === 'error') throw new TypeError('Failed to fetch');
    return answer;
  };
  const headers = { [csrfHeader.name]: csrfHeader.value };
  return {
    ...demo,
    memory,
    waits,
    service: createClient(api, { fetch, headers, base: `${origin}${apiBase}` }),
    bff: createClient(bffApi, { fetch, headers, base: origin }),
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
export const readWhole = ({ service }: Tab, id = 1) =>
  service.getSubscriber({ params: { id }, query: { include: [...listNames] } });

export const noteOf = async (tab: Tab) => (await readWhole(tab)).data.note;

/** Writes the note of the first subscriber. */
export const saveNote = ({ service }: Tab, note: string, headers: Record<string, string> = newKey()) =>
  service.updateSubscriber({ params: { id: 1 }, body: { note } }, { headers });

export const countOf = async (
  { service }: Tab,
  query: Parameters<Tab['service']['listSubscribers']>[0]['query'] = {},
) => (await service.listSubscribers({ query: { ...query, PageSize: 1 } })).data.totalCount;

export const nameIn = async ({ bff }: Tab) => (await bff.getSession({})).data.staff.name;

/** The code of what a call fails with. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: ApiError) => error.code,
  );

let keys = 0;
/** What marks a change, so that it is done once. */
export const newKey = () => ({ 'Idempotency-Key': `key-of-one-test-${(keys += 1)}` });
