import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSecurityHeaders, pagePolicy } from '../bff/middleware/security-headers.ts';
import { buildDashboard } from '../server/build/build.ts';
import { publicUrlAt } from '../server/config/config.ts';
import { listen } from '../server/http/listen.ts';
import { createRefuse } from '../server/http/refuse.ts';
import { createRequestListener } from '../server/http/request-listener.ts';
import { runCommand } from '../server/run-command.ts';
import { createPages } from '../server/http/static-files.ts';
import { atParameter } from './settings.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The BFF's policy with two exceptions that the demo needs: SQLite in WebAssembly, and the mock service worker, which MSW
 * registers by a plain address where trusted types want a typed one.
 */
const { 'require-trusted-types-for': _, 'trusted-types': __, ...withoutTrustedTypes } = pagePolicy;
const policy = { ...withoutTrustedTypes, 'script-src': `'self' 'wasm-unsafe-eval'` };

/** There is only one page, with relative links to its files: its own router goes on from there. */
function redirectToPage({ method, url }: Request): Response | null {
  const { pathname, search } = new URL(url);
  if (method !== 'GET' || pathname === '/' || extname(pathname) !== '') return null;
  const address = `/?${new URLSearchParams({ [atParameter]: `${pathname}${search}` })}`;
  return new Response(null, { status: 302, headers: { Location: address, 'Cache-Control': 'no-cache' } });
}

/** `npm run demo`: serves the demo's files and nothing else; the BFF and the service run in the tab. */
await runCommand(async ({ config, log, say }) => {
  const pages = await createPages(await buildDashboard({ root, mode: 'demo', say }));
  const securityHeaders = createSecurityHeaders({ policy });
  const fetch = async (request: Request) =>
    securityHeaders.page(redirectToPage(request) ?? (await pages(request)), {
      requestId: crypto.randomUUID(),
    });
  const refuse = createRefuse(log, config.publicUrl);
  const listener = createRequestListener({ fetch, log, refuse });
  const listening = await listen({ ...config, listener, refuse, log });
  say(
    `The demo is at ${publicUrlAt(config, listening.port)}. Everything in it is made up and ends with the tab.`,
  );
  return () => listening.close();
});
