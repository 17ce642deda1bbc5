import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { http } from 'msw/http';
import { setupWorker } from 'msw/browser';
import { createRoot } from 'react-dom/client';
import { AppContext } from '../app/components/app-context.ts';
import type { Dashboard } from '../app/dashboard.tsx';
import { apiBase, bffBase, returnPath } from '../contract/bff/paths.ts';
import { DemoParts } from './bar.tsx';
import { openDemo, type Demo, installShiftedDate } from './demo.ts';
import type { LocalFetch } from './faults.ts';
import { scenarios } from './scenarios.ts';
import {
  dataSets,
  defaultSettings,
  fileParameter,
  readAddress,
  readFile,
  readLink,
  writeLink,
  type DataSet,
  type Settings,
} from './settings.ts';
import { createState, readState, startOver } from './state.ts';
import type { WorkerName } from './backend-worker.ts';
import styles from './bar.module.css';

/** The folder of the page; the bundler puts this script into a folder below it. */
const base = new URL('../', import.meta.url);
const storage = () => sessionStorage;

/**
 * Starts the demo in this tab.
 *
 * @returns options for `createDashboard`, and a function that shows the bar above it
 */
export async function startDemo(): Promise<{
  options: { history: RouterHistory; productName?: string };
  showBar: (to: Dashboard) => void;
}> {
  const { at, query } = readAddress(location.href, base);
  // Relative links of the page must not change when the address does.
  for (const link of document.querySelectorAll('link')) link.setAttribute('href', link.href);
  const stored = readState(storage);
  const chosen = { ...(await fetchFile(query.get(fileParameter) ?? '')), ...readLink(query) };
  const { settings, before } = chooseSettings(stored, chosen);
  // A link to a scenario leads to where it begins.
  const { scenario, data, days, statuses } = settings;
  const begin = before === null && at === '/' && scenario !== 'none' ? scenarios[scenario].at : at;
  history.replaceState(history.state, '', `${base.pathname.slice(0, -1)}${begin}`);
  const open = stored === null ? await findOpenData(chosen) : undefined;
  const dataName = before?.dataName ?? open ?? newDataName(data);
  const bar = announceBar(open === undefined ? dataSets[data] : 'as in the other tab');
  bar.hidden = settings.bar === 'off';
  dress(settings);
  const worker = new Worker(new URL('backend-worker.ts', import.meta.url), {
    type: 'module',
    // The other tab may be closed before its data are there.
    name: JSON.stringify({
      dataName,
      data: dataSetIn(dataName) ?? data,
      days,
      statuses,
    } satisfies WorkerName),
  });
  const cannotStart = new Promise<never>((_, reject) =>
    worker.addEventListener('error', ({ message }) => reject(new Error(message))),
  );
  const fresh = { dataId: null, step: 0, touched: false, session: null, isStored: true };
  const state = createState(storage, { ...fresh, ...before, ...settings, dataName });
  const demo = openDemo({
    channel: new BroadcastChannel(dataName),
    state,
    before,
    present: installShiftedDate(days * 24 * 60 * 60_000),
    // The dashboard reads again what it shows, as after a long sleep of the machine.
    onClockMoved: () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  await Promise.race([Promise.all([demo.untilReady(), interceptRequests(demo.fetch)]), cannotStart]);
  return {
    options: {
      history: createHistoryBelowBase(),
      ...(settings.name !== '' && { productName: settings.name }),
    },
    showBar: (dashboard) => showBar(bar, demo, dashboard),
  };
}

/** The settings in a file beside the demo's; none where it can't be read, or would be elsewhere. */
async function fetchFile(name: string): Promise<Partial<Settings>> {
  if (!/^[\w-]+\.json$/.test(name)) return {};
  try {
    return readFile(await (await fetch(new URL(name, base))).json());
  } catch {
    return {};
  }
}

/** Begins the names of all data of this demo: a host can have several, and another build may have other tables. */
const dataNames = `subscriber-desk-demo ${new URL(import.meta.url).pathname} `;

/** Sorted by time; what comes after it says which data set it is. */
const newDataName = (data: DataSet) => `${dataNames}${Date.now()}-${data}-${crypto.randomUUID()}`;

/** The data set in such a name. */
const dataSetIn = (name: string): DataSet | undefined =>
  // Object.keys loses the type of the keys.
  (Object.keys(dataSets) as DataSet[]).find((data) =>
    name.startsWith(`-${data}-`, name.indexOf('-', dataNames.length)),
  );

/** The newest data that another tab shows, unless the address requests others. */
async function findOpenData(requested: Partial<Settings>): Promise<string | undefined> {
  const { scenario, data, days, statuses } = requested;
  if ([scenario, days, statuses].some((value) => value !== undefined)) return undefined;
  const { held = [] } = await navigator.locks.query();
  return held
    .map(({ name = '' }) => name)
    .filter((name) => name.startsWith(dataNames) && (data === undefined || dataSetIn(name) === data))
    .toSorted()
    .at(-1);
}

/** Hands all requests of the dashboard to the demo, so that no faked answer can become wrong. */
async function interceptRequests(answer: LocalFetch): Promise<void> {
  const handlers = [apiBase, bffBase].map((path) => http.all(`*${path}/*`, ({ request }) => answer(request)));
  const serviceWorker = { url: new URL('worker.js', base).href };
  await setupWorker(...handlers).start({ quiet: true, onUnhandledFrame: 'bypass', serviceWorker });
}

/**
 * The settings in the address, else those of the page before, else the defaults. Another data set starts over, and so
 * does a scenario, which also brings settings of its own.
 */
function chooseSettings(stored: ReturnType<typeof readState>, requested: Partial<Settings>) {
  const before = stored === startOver ? null : stored;
  const { scenario = 'none' } = requested;
  if (scenario !== 'none')
    return { settings: { ...defaultSettings, ...scenarios[scenario].stage, ...requested }, before: null };
  // Other settings end the scenario with its faults, which would not fit them. What is not a setting comes from `before`.
  const isOver = before !== null && before.scenario !== 'none' && Object.keys(requested).length > 0;
  const ended = isOver ? { scenario, step: 0, faults: [] } : {};
  const settings: Settings = { ...defaultSettings, ...before, ...ended, ...requested };
  const isSame = before?.data === settings.data && before.statuses === settings.statuses;
  return { settings, before: isSame ? before : null };
}

/** Gives the dashboard the colour and the logo of those who are to use it. */
function dress({ colour, logo }: Settings): void {
  const { style, dataset } = document.documentElement;
  if (colour !== '') {
    dataset['colour'] = colour;
    style.setProperty('--demo-colour', `#${colour}`);
  }
  if (logo !== '') {
    dataset['logo'] = logo;
    style.setProperty('--demo-logo', `url("${new URL(logo, base).href}")`);
  }
}

/** Says in the place of the bar, which the page has from the beginning, what it waits for. */
function announceBar(data: string): HTMLElement {
  const element = document.getElementById('demo');
  const text = element?.firstElementChild;
  if (!element || !text) throw new Error('The page has no place for the bar.');
  text.className = styles.bar ?? '';
  text.textContent = `Preparing the demo (${data})…`;
  return element;
}

function showBar(element: HTMLElement, demo: Demo, dashboard: Dashboard): void {
  const { app, router } = dashboard;
  router.subscribe('onResolved', ({ toLocation }) => demo.see(`page ${toLocation.href}`));
  if (element.hidden) return;
  element.className = styles.mount ?? '';
  createRoot(element).render(
    <AppContext value={app}>
      <DemoParts
        demo={demo}
        viewAs={async (role) => {
          await demo.viewAs(role);
          await showAsPerson(dashboard);
        }}
        restart={(settings) => {
          demo.state.startOver();
          // Whose name and colours it has stays.
          const { name, colour, logo, statuses } = demo.state.get();
          location.assign(linkTo({ ...defaultSettings, name, colour, logo, statuses, ...settings }));
        }}
        link={() => linkTo(demo.state.get())}
      />
    </AppContext>,
  );
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
