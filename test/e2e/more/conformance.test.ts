import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build, preview, type InlineConfig, type PreviewServer } from 'vite';
import { afterAll } from 'vitest';
import { describeConformance } from '../../service/conformance/suite.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { bytesOf, wireOf } from './tab/wire.ts';

const outDir = mkdtempSync(join(tmpdir(), 'subscriber-desk-tab-'));
const config: InlineConfig = {
  root: fileURLToPath(new URL('tab', import.meta.url)),
  configFile: false,
  logLevel: 'error',
  build: { outDir, target: 'es2023', assetsInlineLimit: 0, emptyOutDir: true },
  preview: { port: 0, host: '127.0.0.1' },
};
let server: PreviewServer | undefined;

afterAll(async () => {
  await server?.close();
  rmSync(outDir, { recursive: true, force: true });
});

/** The service with SQLite in WebAssembly, as the demo has it, asked from outside its tab. */
describeConformance(async () => {
  await build(config);
  server = await preview(config);
  const { page } = await openPage();
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  const base = 'https://service.example';
  const credentials = { id: 'suite', secret: 'of the suite' };
  await page.evaluate(
    async ([base, credentials]) => {
      globalThis.answer = await globalThis.startService(base, credentials);
    },
    [base, credentials] as const,
  );
  return { base, credentials, fetch: (request) => askTab(page, request) };
});

async function askTab(page: Page, request: Request): Promise<Response> {
  const sent = { method: request.method, url: request.url, ...(await wireOf(request)) };
  const wire = await page.evaluate((given) => globalThis.answer(given), sent);
  return new Response(bytesOf(wire), { status: wire.status ?? 0, headers: wire.headers });
}
