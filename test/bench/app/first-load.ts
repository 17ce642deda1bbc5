import type { BenchPage, BenchState, Conditions } from './conditions.ts';
import { installBench } from './in-page.ts';
import type { PlainChromium } from './plain-chromium.ts';

export interface FirstLoad {
  /** From the beginning of the navigation, in ms. */
  firstRow: number;
  blocked: number;
  shift: number;
}

/** One load with an empty cache, until no request is under way. */
export async function loadFirst({ page }: BenchPage, url: string): Promise<void> {
  await page.goto(`${url}/subscribers`, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => window.bench.firstRow !== null);
}

/** One load with an empty cache in a Chromium without tools attached, and what the bench measured in the page. */
export async function measureFirstLoad(
  { send }: PlainChromium,
  url: string,
  conditions: Conditions,
  { cookies }: BenchState,
): Promise<FirstLoad> {
  const { browserContextId } = await send('Target.createBrowserContext');
  await send('Storage.setCookies', { browserContextId, cookies });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
  const attached = await send('Target.attachToTarget', { targetId, flatten: true });
  const inPage = (method: string, parameters: Readonly<Record<string, unknown>>) =>
    send(method, parameters, String(attached['sessionId']));
  await inPage('Page.enable', {});
  await inPage('Page.addScriptToEvaluateOnNewDocument', { source: `(${String(installBench)})()` });
  await pretend(inPage, conditions);
  await inPage('Page.navigate', { url: `${url}/subscribers` });
  const seen = await inPage('Runtime.evaluate', {
    expression: `(${String(whenQuiet)})()`,
    awaitPromise: true,
    returnByValue: true,
  });
  await send('Target.disposeBrowserContext', { browserContextId });
  return (seen['result'] as { value: FirstLoad }).value;
}

type InPage = (method: string, parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;

async function pretend(inPage: InPage, { cpu, network }: Conditions): Promise<void> {
  const size = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };
  await inPage('Emulation.setDeviceMetricsOverride', size);
  await inPage('Emulation.setCPUThrottlingRate', { rate: cpu });
  if (!network) return;
  await inPage('Network.enable', {});
  await inPage('Network.emulateNetworkConditions', { offline: false, ...network });
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
