import type { QueryClient } from '@tanstack/react-query';
import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { setupWorker } from 'msw/browser';
import type { Dashboard } from '../app/dashboard.tsx';
import { returnPath } from '../contract/bff/paths.ts';
import { announceBar, mountBar } from './mount.tsx';
import { openDemo, type Demo } from './demo.ts';
import type { Fetch } from './faults.ts';
import { handlersFor } from './bff-in-tab.ts';
import { createMemory, type Memory } from './memory.ts';
import {
  dataSets,
  defaultSettings,
  readAddress,
  readLink,
  writeLink,
  type DataSet,
  type Settings,
} from './settings.ts';
import { scenarios } from './scenarios.ts';
import { installShiftedDate } from './shifted-date.ts';
import { createStore } from './store.ts';
import { findNames, joinAlone, joinTabs } from './tabs.ts';

/** The folder of the page; the bundler puts this script into a folder below it. */
const base = new URL('../', import.meta.url);
const maintenanceInterval = 60_000;

/**
 * Starts the BFF and the service in this tab.
 *
 * @returns the history for the dashboard, and a function that shows the bar above it
 */
export async function startDemo(): Promise<{ history: RouterHistory; showBar: (to: Dashboard) => void }> {
  const memory = createMemory(() => sessionStorage);
  const { at, asked } = readAddress(location.href, base);
  // Relative links of the page must not change when the address does.
  for (const link of document.querySelectorAll('link')) link.setAttribute('href', link.href);
  const { settings, kept } = chooseSettings(memory, readLink(asked));
  // A link to a scenario leads to where it begins.
  const { scenario } = settings;
  const begin = kept === null && at === '/' && scenario !== 'none' ? scenarios[scenario].at : at;
  history.replaceState(history.state, '', `${base.pathname.slice(0, -1)}${begin}`);
  const open = await findOpenData(memory, readLink(asked));
  const dataId = kept?.dataId ?? open ?? newDataId(settings.data);
  const bar = await announceBar(open === undefined ? dataSets[settings.data] : 'as in the other tab');
  const present = installShiftedDate(settings.days * 24 * 60 * 60_000);
  const name = `${tabNames}${dataId}`;
  const store = createStore(name, () => Date.now());
  const canShare = 'locks' in navigator && 'BroadcastChannel' in globalThis && (await store.isUsable());
  const opening = openDemo({
    settings,
    kept,
    memory,
    dataId,
    store,
    join: (listener) => (canShare ? joinTabs(name, crypto.randomUUID(), listener) : joinAlone(listener)),
    present,
    // The dashboard reads again what it shows, as after a long sleep of the machine.
    onClockMoved: () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    origin: location.origin,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  // The browser starts the worker while SQLite fills the tables.
  const answer = async (request: Request) => (await opening).fetch(request);
  const [demo] = await Promise.all([opening, startWorker(answer)]);
  await demo.keep();
  addEventListener('pagehide', () => void demo.keep());
  void demo.runMaintenance();
  if (canShare) void store.deleteOld();
  setInterval(() => void demo.runMaintenance(), maintenanceInterval);
  return {
    history: createHistoryBelowBase(),
    showBar: (dashboard) => showBar(bar, { demo, memory, dashboard }),
  };
}

/** Begins the names of all data of this demo: a host can have several, and another build may have other tables. */
const tabNames = `subscriber-desk-demo ${new URL(import.meta.url).pathname} `;

/** Sorted by time; what comes after it says which data set it is. */
const newDataId = (data: DataSet) => `${Date.now()}-${data}-${crypto.randomUUID()}`;

/** The newest data that another tab shows, unless this one asks for others. */
async function findOpenData(memory: Memory, { scenario, data, days }: Partial<Settings>) {
  const isOther =
    memory.read() !== null || memory.startsOver() || scenario !== undefined || days !== undefined;
  if (isOther || !('locks' in navigator)) return undefined;
  const ids = await findNames(tabNames);
  return ids.findLast((id) => data === undefined || id.includes(`-${data}-`));
}

async function startWorker(answer: Fetch): Promise<void> {
  const serviceWorker = { url: new URL('worker.js', base).href };
  const worker = setupWorker(...handlersFor(answer));
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass', serviceWorker });
}

/**
 * The settings in the address, else those of the last page load, else the defaults. Another data set starts over, and so
 * does a scenario, which also brings settings of its own.
 */
function chooseSettings(memory: Memory, asked: Partial<Settings>) {
  const { scenario = 'none' } = asked;
  if (scenario !== 'none')
    return { settings: { ...defaultSettings, ...scenarios[scenario].stage, ...asked }, kept: null };
  const before = memory.read();
  const settings = { ...defaultSettings, ...before?.settings, ...asked };
  return { settings, kept: before?.settings.data === settings.data ? before : null };
}

function showBar(element: HTMLElement, parts: { demo: Demo; memory: Memory; dashboard: Dashboard }): void {
  const { demo, memory, dashboard } = parts;
  const restart = async (settings: Partial<Settings>) => {
    memory.forget();
    await demo.forget();
    location.assign(linkTo({ ...defaultSettings, ...settings }));
  };
  const { queryClient } = dashboard.app;
  const stopWaiting = dashboard.router.subscribe('onRendered', () => {
    stopWaiting();
    void demo
      .writeHistory(() => whenIdle(queryClient))
      .then((isNew) => (isNew ? queryClient.invalidateQueries() : undefined));
  });
  dashboard.router.subscribe('onResolved', ({ toLocation }) => demo.see(`page ${toLocation.href}`));
  mountBar(element, dashboard.app, {
    state: demo.state,
    turn: (fault, on) => void demo.turn(fault, on),
    viewAs: async (role) => {
      await demo.viewAs(role);
      await showAsPerson(dashboard);
    },
    moveClock: demo.moveClock,
    startOver: (data) => void restart({ role: demo.state.get().role, data }),
    play: (scenario) => void restart({ ...scenarios[scenario].stage, scenario }),
    skipStep: () => demo.state.change({ step: demo.state.get().step + 1 }),
    endScenario: () => void demo.endScenario(),
    playlistLink: demo.playlistLink,
    link: () => linkTo(demo.state.get()),
  });
}

/** What the user waits for comes first. */
async function whenIdle(queryClient: QueryClient): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 10));
  while (queryClient.isFetching() > 0);
}

/** Reads again what the new user may see; from the sign-in page, returns to the requested page. */
async function showAsPerson({ app: { queryClient }, router }: Dashboard): Promise<void> {
  const { pathname, search } = router.state.location;
  if (pathname !== '/sign-in') return queryClient.resetQueries();
  queryClient.clear();
  router.history.replace(returnPath(search.from, location.origin));
}

/** A link with settings only: an address of the dashboard can contain who was looked for. */
function linkTo(settings: Settings): string {
  const url = new URL(base);
  for (const [name, value] of writeLink(settings)) url.searchParams.set(name, value);
  return url.href;
}

/** The browser's history for a dashboard below a folder, which itself uses addresses from the root of the host. */
function createHistoryBelowBase(): RouterHistory {
  const folder = base.pathname.slice(0, -1);
  return createBrowserHistory({
    parseLocation: () => {
      const { search, hash } = location;
      const pathname = location.pathname.slice(folder.length) || '/';
      // The history has stored its own state there before.
      const state = history.state as RouterHistory['location']['state'];
      return { href: `${pathname}${search}${hash}`, pathname, search, hash, state };
    },
    createHref: (path) => `${folder}${path}`,
  });
}
