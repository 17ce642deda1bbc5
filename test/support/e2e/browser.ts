import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { provideChromium, provideTestChromium } from './provide.ts';

/** Chromium without anything that calls out; the sandbox is off because tests often run as root. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchChromium(executablePath = provideChromium(process.env)): Promise<Browser> {
  return chromium.launch({ executablePath, args: switches });
}

let opened: Promise<Browser> | undefined;

/** The browser of this process. All its test files share it, and each opens pages of its own. */
export const openBrowser = (): Promise<Browser> =>
  (opened ??= launchChromium(provideTestChromium(process.env)));

/** Closes all pages of the browser that is shared. */
export async function closePages(): Promise<void> {
  const contexts = (await opened)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

export interface Watched {
  page: Page;
  /** Faults in the page since the last look: console errors and warnings, exceptions, policy reports. */
  complaints: () => string[];
  /** Answers of 400 and above since the last look, as "404 POST /bff/find-by-token". */
  refusals: () => string[];
}

/**
 * Opens a page that shares nothing with others, and records what only a developer sees: console messages, exceptions,
 * policy reports and refusals.
 *
 * @param browser the shared one unless given
 */
export async function openPage(options: BrowserContextOptions = {}, browser?: Browser): Promise<Watched> {
  const context = await (browser ?? (await openBrowser())).newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const refusals: string[] = [];
  await page.addInitScript(() => {
    // A window of the system would ask where a file goes, and nobody answers it here.
    Reflect.deleteProperty(window, 'showSaveFilePicker');
    document.addEventListener('securitypolicyviolation', (event) =>
      // oxlint-disable-next-line no-console -- this is how a report leaves the page
      console.error(`Policy report: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
    );
  });
  page.on('pageerror', (error) => complaints.push(`Exception: ${error.message}`));
  page.on('console', (message) => {
    // The refusals below name the request, which this line of the browser does not.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400)
      refusals.push(`${response.status()} ${response.request().method()} ${pathname}`);
  });
  return { page, complaints: () => complaints.splice(0), refusals: () => refusals.splice(0) };
}

/** Presses Enter, and again, sooner than anybody who means it twice; the second may be held. */
export const enterTwice = (page: Page, repeats = 1) =>
  Promise.all(
    (['down', 'up', ...Array<'down'>(repeats).fill('down'), 'up'] as const).map((half) =>
      page.keyboard[half]('Enter'),
    ),
  );
