import { extname } from 'node:path';
import { createSecurityHeaders, pagePolicy } from '../bff/http/security-headers.ts';
import { withHeaders } from '../contract/http/answer.ts';
import { buildDashboard } from '../server/build/build.ts';
import { addressOf, publicUrlAt } from '../server/config/config.ts';
import { listen } from '../server/http/listen.ts';
import { root } from '../server/installation.ts';
import type { CommandContext } from '../server/run-command.ts';
import { createPages } from '../server/http/static-files.ts';
import { atParameter } from './settings.ts';

/**
 * The BFF's policy with two exceptions for the demo: SQLite needs WebAssembly, and MSW registers its service worker by
 * a plain address, which trusted types do not allow.
 */
const { 'require-trusted-types-for': _, 'trusted-types': __, ...withoutTrustedTypes } = pagePolicy;
const policy = { ...withoutTrustedTypes, 'script-src': `'self' 'wasm-unsafe-eval'` };

/** There is only one page. It gets the requested address as a parameter, and its router does the rest. */
function redirectToPage({ method, url }: Request): Response | null {
  const { pathname, search } = new URL(url);
  if (method !== 'GET' || pathname === '/' || extname(pathname) !== '') return null;
  const address = `/?${new URLSearchParams({ [atParameter]: `${pathname}${search}` })}`;
  return new Response(null, { status: 302, headers: { Location: address, 'Cache-Control': 'no-cache' } });
}

/** Serves only files. The BFF and the service run in the browser tab. */
export async function startDemo({ config, log, say }: Pick<CommandContext, 'config' | 'log' | 'say'>) {
  const pages = await createPages(await buildDashboard({ root, mode: 'demo', say }));
  const securityHeaders = createSecurityHeaders({ policy });
  const fetch = async (request: Request) =>
    withHeaders(redirectToPage(request) ?? (await pages(request)), {
      ...securityHeaders.page,
      'X-Request-Id': crypto.randomUUID(),
    });
  const listening = await listen({ ...addressOf(config), log });
  listening.serve(fetch);
  const url = publicUrlAt(config, listening.port);
  say(`The demo is running at ${url}. Its data is made up and stays in your browser.`);
  return { url, stop: () => listening.close() };
}
