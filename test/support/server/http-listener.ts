import type { Log } from '../../../src/lib/log.ts';
import { listen } from '../../../src/server/http/listen.ts';
import type { Fetch } from '../../../src/server/http/request-listener.ts';
import { whenOver } from './temporary-folder.ts';

export const echo: Fetch = async (request, from) =>
  Response.json({ url: request.url, method: request.method, body: await request.text(), from });

const atOnce = { announce: 0, drain: 15_000 };

/** An HTTP server with the product's settings, and the addresses of the requests that reached it. */
export async function openListener(
  fetch: Fetch = echo,
  log: Log = () => {},
  times = atOnce,
  options: Pick<Parameters<typeof listen>[0], 'connections' | 'trustedProxies'> = {},
) {
  const seen: string[] = [];
  const counted: Fetch = (request, from) => {
    seen.push(request.url);
    return fetch(request, from);
  };
  const listening = await listen({ port: 0, host: '127.0.0.1', log, times, ...options });
  listening.serve(counted);
  whenOver(async () => {
    listening.server.closeAllConnections();
    if (listening.server.listening) await listening.close();
  });
  return { ...listening, seen };
}

/** A request in raw text, after which the connection ends. */
export const request = (target: string, ...headers: string[]) =>
  `${target} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;
