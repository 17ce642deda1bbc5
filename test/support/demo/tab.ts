import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BffTables } from '../../../src/bff/schema.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { apiBase, csrfHeader } from '../../../src/contract/bff/paths.ts';
import { createClient, type ApiError } from '../../../src/contract/http/client.ts';
import { api } from '../../../src/contract/service/api.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { serveBackend } from '../../../src/demo/channel.ts';
import { fillData } from '../../../src/demo/data.ts';
import { openDemo, installShiftedDate } from '../../../src/demo/demo.ts';
import { defaultSettings, type Settings } from '../../../src/demo/settings.ts';
import { createState, readState, startOver } from '../../../src/demo/state.ts';
import { openBackend, type Backend } from '../../../src/demo/backend.ts';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { temporaryFolder } from '../server/temporary-folder.ts';

const origin = 'http://dashboard.example';
export const day = 24 * 60 * 60_000;

const RealDate = Date;

let seeds = 0;

/** A browser with the files of a demo, in which one backend at a time is open, as in a worker that has the lock. */
export function createBrowser(requested: Partial<Settings> = {}) {
  const settings = { ...defaultSettings, data: '25' as const, ...requested };
  const name = crypto.randomUUID();
  const random = createSeededRandom((seeds += 1)).bytes;
  let folder = temporaryFolder();
  let isFilled = false;
  let close = () => {};
  onTestFinished(() => close());
  const browser = {
    name,
    isStored: true,
    backend: null as Backend | null,
    /** Closes the tab with the backend at this moment, and opens the backend of another tab. */
    async openNext() {
      close();
      const files = temporaryFolder();
      cpSync(folder, files, { recursive: true });
      folder = files;
      const databases = {
        service: openNodeSqlite<ServiceTables>(join(folder, 'service')),
        bff: openNodeSqlite<BffTables>(join(folder, 'bff')),
      };
      onTestFinished(async () => {
        await Promise.all(Object.values(databases).map((db) => db.destroy()));
      });
      const now = () => RealDate.now();
      const { isStored } = browser;
      if (!isFilled) await fillData(databases, { ...settings, now: now(), random });
      const backend = await openBackend({ databases, isStored, now, random, userAgent: 'Tests', origin });
      if (!isFilled) await backend.writeHistory();
      isFilled = true;
      const channel = new BroadcastChannel(name);
      close = () => {
        channel.close();
        // A worker that has ended says nothing more, whatever it was doing.
        channel.postMessage = () => undefined;
      };
      serveBackend(channel, backend);
      browser.backend = backend;
      return backend;
    },
  };
  return browser;
}

/** The storage of a tab, which its pages share. */
export function createStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

export type Tab = Awaited<ReturnType<typeof openTab>>;

interface Place {
  browser?: ReturnType<typeof createBrowser>;
  storage?: ReturnType<typeof createStorage>;
}

/**
 * A page of the demo with 25 subscribers, unless something else is requested; opened again with its storage, a reload. Not
 * a `createTestDesk`, because how the demo puts BFF and service together is what its tests are about.
 */
export async function openTab(
  requested: Partial<Settings> = {},
  { browser = createBrowser(requested), storage = createStorage() }: Place = {},
) {
  // A new page has the browser's own.
  globalThis.Date = RealDate;
  onTestFinished(() => void (globalThis.Date = RealDate));
  if (!browser.backend) await browser.openNext();
  const stored = readState(() => storage);
  const before = stored === startOver ? null : stored;
  const begin = { dataId: null, step: 0, touched: false, session: null, isStored: true, ...before };
  const settings = { ...defaultSettings, data: '25' as const, ...before, ...requested };
  const waits: number[] = [];
  const channel = new BroadcastChannel(browser.name);
  onTestFinished(() => channel.close());
  const demo = openDemo({
    channel,
    state: createState(() => storage, { ...begin, ...settings, dataName: browser.name }),
    before,
    present: installShiftedDate(settings.days * day),
    onClockMoved: () => undefined,
    wait: async (ms) => void waits.push(ms),
  });
  await demo.untilReady();
  /** `fetch` in a page throws for an answer that is lost. */
  const fetch = async (request: Request) => {
    const answer = await demo.fetch(request);
    if (answer.type === 'error') throw new TypeError('Failed to fetch');
    return answer;
  };
  const headers = { [csrfHeader.name]: csrfHeader.value };
  return {
    ...demo,
    waits,
    service: createClient(api, { fetch, headers, base: `${origin}${apiBase}` }),
    bff: createClient(bffApi, { fetch, headers, base: origin }),
  };
}

/** A tab in a browser of its own, and the function that reloads it. */
export async function openReloadableTab(requested: Partial<Settings> = {}) {
  const place = { browser: createBrowser(requested), storage: createStorage() };
  const tab = await openTab(requested, place);
  const reload = async (next: Partial<Settings> = {}) => {
    await place.browser.openNext();
    return openTab(next, place);
  };
  return { tab, reload, ...place };
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
/** A key for a change, so that it is done once. */
export const newKey = () => ({ 'Idempotency-Key': `key-of-one-test-${(keys += 1)}` });
