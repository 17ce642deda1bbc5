import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openPage } from '../../support/e2e/browser.ts';
import { installBench } from './in-page.ts';

/** How slow a machine and a line to pretend. */
export interface Conditions {
  /** So many times slower than this machine. */
  cpu: number;
  /** Round trip in ms, throughput in bytes a second; null for none of either. */
  network: { latency: number; downloadThroughput: number; uploadThroughput: number } | null;
}

export const unthrottled: Conditions = { cpu: 1, network: null };
export const slowMachine: Conditions = { cpu: 4, network: null };
/** As Lighthouse takes a telephone to be: 1.6 Mbit/s, 150 ms, a quarter of the processor. */
export const telephone: Conditions = {
  cpu: 4,
  network: { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
};

export interface BenchPage {
  page: Page;
  cdp: CDPSession;
  close: () => Promise<void>;
}

/** The cookies and storage of a signed-in browser. */
export type BenchState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A page with an empty cache, in which the bench watches. */
export async function openBenchPage(
  browser: Browser,
  conditions: Conditions,
  state: BenchState,
): Promise<BenchPage> {
  const { page } = await openPage({ storageState: state }, browser);
  page.setDefaultTimeout(30_000);
  await page.addInitScript(installBench);
  const cdp = await page.context().newCDPSession(page);
  await setConditions(cdp, conditions);
  return { page, cdp, close: () => page.context().close() };
}

async function setConditions(cdp: CDPSession, { cpu, network }: Conditions): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  const line = network ?? { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', { offline: false, ...line });
}
