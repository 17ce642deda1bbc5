import { fileURLToPath } from 'node:url';
import { pagePolicy, writePolicy } from '../../bff/page-headers.ts';
import { buildDashboard } from '../build.ts';
import { publicUrlAt } from '../config.ts';
import { listen } from '../listen.ts';
import { createRequestListener } from '../request-listener.ts';
import { runCommand } from '../run-command.ts';
import { createPages } from '../static-files.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The desk's own policy, but for two things that the demo cannot do without: SQLite in WebAssembly, and the mock
 * service worker, which MSW registers by a plain address where trusted types would want a typed one.
 */
const { 'require-trusted-types-for': _, 'trusted-types': __, ...withoutTrustedTypes } = pagePolicy;
const policy = writePolicy({ ...withoutTrustedTypes, 'script-src': `'self' 'wasm-unsafe-eval'` });

/** `npm run demo`: serves the demo's files and nothing else; the desk and the service run in the visitor's tab. */
await runCommand(async ({ config, log, say }) => {
  const pages = await createPages(await buildDashboard({ root, mode: 'demo', say }));
  const fetch = async (request: Request) => withPolicy(await pages(request));
  const listening = await listen({ ...config, listener: createRequestListener({ fetch, log }) });
  say(
    `The demo is at ${publicUrlAt(config, listening.port)}. Everything in it is made up and ends with the tab.`,
  );
  return () => listening.close();
});

function withPolicy(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('Content-Security-Policy', policy);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  return new Response(response.body, { status: response.status, headers });
}
