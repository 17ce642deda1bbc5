import type { RouterHistory } from '@tanstack/react-router';
import { setupWorker } from 'msw/browser';
import type { Dashboard } from '../app/dashboard.tsx';
import { returnPath } from '../contract/bff/paths.ts';
import { createHistoryAt, readAddress } from './address.ts';
import { announceBar, mountBar } from './bar.tsx';
import { openDemo, type Demo } from './demo.ts';
import type { Fetch } from './faults.ts';
import { handlersFor } from './handlers.ts';
import { createMemory, type Memory } from './memory.ts';
import { dataSets, readLink, usualSettings, writeLink, type DataSet, type Settings } from './settings.ts';
import { installShiftedDate } from './shifted-date.ts';

/** Where the page and its files are: the bundler puts this one into a folder of its own below. */
const base = new URL('../', import.meta.url);
const tendEvery = 60_000;

/**
 * Starts the whole desk in this tab, at whatever address it is.
 *
 * @returns the history that the dashboard is to live in, and what puts the bar on top of it
 */
export async function startDemo(): Promise<{ history: RouterHistory; showBar: (to: Dashboard) => void }> {
  const memory = createMemory(() => sessionStorage);
  const { at, asked } = readAddress(location.href, base);
  // What the page names from where it lies keeps its place when the address moves on.
  for (const link of document.querySelectorAll('link')) link.setAttribute('href', link.href);
  history.replaceState(history.state, '', `${base.pathname.slice(0, -1)}${at}`);
  const { settings, kept } = settle(memory, readLink(asked));
  const place = await announceBar(dataSets[settings.data]);
  const present = installShiftedDate(settings.days * 24 * 60 * 60_000);
  const opening = openDemo({
    settings,
    kept,
    memory,
    present,
    origin: location.origin,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  // The browser can see to its worker while SQLite fills its tables.
  const answer = async (request: Request) => (await opening).fetch(request);
  const [demo] = await Promise.all([opening, startWorker(answer)]);
  await demo.keep();
  addEventListener('pagehide', () => void demo.keep());
  void demo.runMaintenance();
  setInterval(() => void demo.runMaintenance(), tendEvery);
  return {
    history: createHistoryAt(base),
    showBar: (dashboard) => showBar(place, { demo, memory, dashboard }),
  };
}

async function startWorker(answer: Fetch): Promise<void> {
  const serviceWorker = { url: new URL('mockServiceWorker.js', base).href };
  const worker = setupWorker(...handlersFor(answer));
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass', serviceWorker });
}

/** What holds: what the address asks for, else what was before, else the usual. Other people begin a new demo. */
function settle(memory: Memory, asked: Partial<Settings>) {
  const before = memory.read();
  const settings = { ...usualSettings, ...before?.settings, ...asked };
  return { settings, kept: before?.settings.data === settings.data ? before : null };
}

function showBar(place: HTMLElement, parts: { demo: Demo; memory: Memory; dashboard: Dashboard }): void {
  const { demo, memory, dashboard } = parts;
  mountBar(place, {
    state: demo.state,
    turn: (fault, on) => void demo.turn(fault, on),
    viewAs: async (role) => {
      await demo.viewAs(role);
      await welcome(dashboard);
    },
    moveClock: async (days) => {
      await demo.moveClock(days);
      // As after a long sleep of the machine: what is on the screen is looked at anew.
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    startOver: (data) => startOver(demo, memory, data),
    link: () => linkTo(dashboard.router.history.location.href, demo.state.get()),
  });
}

/** Shows somebody else what they may see; whoever was asked to sign in is where they wanted to go. */
async function welcome({ app: { queryClient }, router }: Dashboard): Promise<void> {
  const { pathname, search } = router.state.location;
  if (pathname !== '/sign-in') return queryClient.resetQueries();
  queryClient.clear();
  router.history.replace(returnPath(search.from, location.origin));
}

function linkTo(at: string, settings: Settings): string {
  const url = new URL(`${base.pathname.slice(0, -1)}${at}`, location.origin);
  for (const [name, value] of writeLink(settings)) url.searchParams.set(name, value);
  return url.href;
}

function startOver({ state }: Demo, memory: Memory, data: DataSet): void {
  memory.forget();
  const { role } = state.get();
  location.assign(linkTo('/', { ...usualSettings, role, data }));
}
