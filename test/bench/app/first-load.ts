import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { installBench, type Conditions } from './page.ts';

export interface FirstLoad {
  /** From the beginning of the navigation, in ms. */
  firstRow: number;
  blocked: number;
  shift: number;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;
type Parameters = Readonly<Record<string, unknown>>;

/** `cold`: with an empty cache; `warm`: in a new tab, where the page was before; `reload`: in the same tab. */
export type Visit = 'cold' | 'warm' | 'reload';

/** Visits before the measurement: a browser stores what it has compiled from the second time on. */
const visitsBefore = 2;

/**
 * One load, in a page that Playwright does not know of. In its own, Playwright has the browser report
 * every error that code makes, even one that is never thrown, with its source location. React makes some as it starts, and
 * to locate them the browser reads the whole bundle once more: 27 of 50 ms, which people's browsers do not spend.
 */
export async function measureFirstLoad(
  browser: Browser,
  url: string,
  conditions: Conditions,
  cookies: StorageState['cookies'],
  visit: Visit,
): Promise<FirstLoad> {
  const cdp = await browser.newBrowserCDPSession();
  const { browserContextId } = await cdp.send('Target.createBrowserContext');
  await cdp.send('Storage.setCookies', {
    browserContextId,
    cookies: cookies.map(({ name, value }) => ({ name, value, url })),
  });
  let tab = await openTab(cdp, browserContextId, conditions);
  let seen = await tab.load(url);
  const more = visit === 'cold' ? 0 : visitsBefore;
  for (let time = 0; time < more; time += 1) {
    if (visit === 'warm') {
      await tab.close();
      tab = await openTab(cdp, browserContextId, conditions);
    }
    seen = await tab.load(url);
  }
  await cdp.send('Target.disposeBrowserContext', { browserContextId });
  await cdp.detach();
  return seen;
}

async function openTab(cdp: CDPSession, browserContextId: string, { cpu, network }: Conditions) {
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId });
  let last = 0;
  const inPage = async (method: string, params: Parameters = {}): Promise<unknown> => {
    last += 1;
    const id = last;
    const answer = new Promise<unknown>((resolve) =>
      cdp.on('Target.receivedMessageFromTarget', (event) => {
        const received = JSON.parse(event.message) as { id?: number; result?: unknown };
        if (event.sessionId === sessionId && received.id === id) resolve(received.result);
      }),
    );
    const message = JSON.stringify({ id, method, params });
    await cdp.send('Target.sendMessageToTarget', { sessionId, message });
    return answer;
  };
  const evaluate = async <T>(expression: string) => {
    const answer = await inPage('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    return (answer as { result?: { value: T } } | undefined)?.result?.value;
  };
  const size = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };
  await inPage('Page.enable');
  await inPage('Page.addScriptToEvaluateOnNewDocument', { source: `(${String(installBench)})()` });
  await inPage('Emulation.setDeviceMetricsOverride', size);
  await inPage('Emulation.setCPUThrottlingRate', { rate: cpu });
  if (network) {
    await inPage('Network.enable');
    await inPage('Network.emulateNetworkConditions', { offline: false, ...network });
  }
  let isOpen = false;
  return {
    /** The browser may lend the process of a page that is still ending, with its compiled code, to the next tab. */
    async close(): Promise<void> {
      const busiest = (await renderers(cdp)).toSorted((one, other) => other.cpuTime - one.cpuTime)[0];
      await cdp.send('Target.closeTarget', { targetId });
      while ((await renderers(cdp)).some(({ id }) => id === busiest?.id));
    },
    /** Opens the list, and reloads it from then on. */
    async load(url: string): Promise<FirstLoad> {
      await evaluate('window.isLeft = true');
      if (isOpen) await inPage('Page.reload');
      else await inPage('Page.navigate', { url: `${url}/subscribers` });
      isOpen = true;
      while ((await evaluate<boolean>('window.isLeft !== true')) !== true);
      const seen = await evaluate<FirstLoad>(`(${String(whenQuiet)})()`);
      if (!seen) throw new Error('The page was left while it was measured.');
      return seen;
    },
  };
}

async function renderers(cdp: CDPSession) {
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer');
}

/** Runs in the page, as text: half a second after its first row. */
function whenQuiet(): Promise<FirstLoad> {
  return new Promise((resolve) => {
    look();
    function look(): void {
      if (window.bench.firstRow === null) setTimeout(look, 20);
      else setTimeout(tell, 500);
    }
    function tell(): void {
      const { firstRow, blocked, shift } = window.bench;
      resolve({ firstRow: firstRow ?? Number.NaN, blocked, shift });
    }
  });
}
