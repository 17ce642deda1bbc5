import type { Browser, BrowserContext } from 'playwright-core';
import { installBench, type Conditions } from './page.ts';

export interface FirstLoad {
  /** From the beginning of the navigation, in ms. */
  firstRow: number;
  blocked: number;
  shift: number;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;
type Parameters = Readonly<Record<string, unknown>>;

/**
 * One load with an empty cache, in a page that Playwright does not know of. In its own, Playwright has the browser report
 * every error that code makes, even one that is never thrown, with its source location. React makes some as it starts, and
 * to locate them the browser reads the whole bundle once more: 27 of 50 ms, which people's browsers do not spend.
 */
export async function measureFirstLoad(
  browser: Browser,
  url: string,
  { cpu, network }: Conditions,
  cookies: StorageState['cookies'],
): Promise<FirstLoad> {
  const cdp = await browser.newBrowserCDPSession();
  const { browserContextId } = await cdp.send('Target.createBrowserContext');
  await cdp.send('Storage.setCookies', {
    browserContextId,
    cookies: cookies.map(({ name, value }) => ({ name, value, url })),
  });
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId });
  let last = 0;
  const inPage = (method: string, params: Parameters = {}) => {
    last += 1;
    const id = last;
    const answer = new Promise<unknown>((resolve) =>
      cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
        const received = JSON.parse(message) as { id?: number; result?: unknown };
        if (received.id === id) resolve(received.result);
      }),
    );
    const message = JSON.stringify({ id, method, params });
    return Promise.all([answer, cdp.send('Target.sendMessageToTarget', { sessionId, message })]);
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
  await inPage('Page.navigate', { url: `${url}/subscribers` });
  const expression = `(${String(whenQuiet)})()`;
  const [seen] = await inPage('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  await cdp.send('Target.disposeBrowserContext', { browserContextId });
  await cdp.detach();
  return (seen as { result: { value: FirstLoad } }).result.value;
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
