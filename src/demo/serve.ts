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
 * The desk's own policy, but for two things that the demo cannot do without: SQLite in WebAssembly, and the mock
 * service worker, which MSW registers by a plain address where trusted types would want a typed one.
 */
const { 'require-trusted-types-for': _, 'trusted-types': __, ...withoutTrustedTypes } = pagePolicy;
const policy = { ...withoutTrustedTypes, 'script-src': `'self' 'wasm-unsafe-eval'` };

/** All pages are one, whose files are named from where it lies: its own router goes on from there. */
function leadToPage({ method, url }: Request): Response | null {
  const { pathname, search } = new URL(url);
  if (method !== 'GET' || pathname === '/' || extname(pathname) !== '') return null;
  const address = `/?${new URLSearchParams({ [atParameter]: `${pathname}${search}` })}`;
  return new Response(null, { status: 302, headers: { Location: address, 'Cache-Control': 'no-cache' } });
}

/** `npm run demo`: serves the demo's files and nothing else; the desk and the service run in the visitor's tab. */
await runCommand(async ({ config, log, say }) => {
  const pages = await createPages(await buildDashboard({ root, mode: 'demo', say }));
  const dress = createSecurityHeaders({ policy });
  const fetch = async (request: Request) =>
    dress.page(leadToPage(request) ?? (await pages(request)), { requestId: crypto.randomUUID() });
  const refuse = createRefuse(log, config.publicUrl);
  const listener = createRequestListener({ fetch, log, refuse });
  const listening = await listen({ ...config, listener, refuse });
  say(
    `The demo is at ${publicUrlAt(config, listening.port)}. Everything in it is made up and ends with the tab.`,
  );
  return () => listening.close();
});
