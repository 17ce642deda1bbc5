import { Refusal } from '../../contract/http/refusal.ts';
import type { Transport } from '../deps.ts';
import type { RequestContext } from '../request-context.ts';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** The origins at which browsers may use the desk: one, or all spellings of the loopback address. */
export function publicOrigins(publicUrl: string): URL[] {
  const origin = new URL(publicUrl);
  if (!loopback.includes(origin.hostname)) return [origin];
  const port = origin.port && `:${origin.port}`;
  return loopback.map((name) => new URL(`${origin.protocol}//${name}${port}`));
}

/**
 * Refuses a request that was meant for another host: a page of an attacker's own name that was made to point here
 * (DNS rebinding) is same-origin with itself, but its Host is not ours.
 */
export function createHostGuard(
  transport: Transport,
): (context: Pick<RequestContext, 'request' | 'url'>) => void {
  if (transport.kind === 'tab') return () => undefined;
  const ours = new Set(publicOrigins(transport.publicUrl).map((origin) => origin.host));
  // The desk may be asked over http behind a proxy that speaks https: which port goes without saying is the public
  // scheme's to decide.
  const usualPort = new URL(transport.publicUrl).protocol === 'https:' ? /:443$/ : /:80$/;
  const isOurs = (host: string) => ours.has(host.replace(usualPort, ''));
  return ({ request, url }) => {
    const target = url.host;
    const named = request.headers.get('Host')?.toLowerCase() ?? target;
    if (!isOurs(target) || !isOurs(named))
      throw new Refusal('wrong-host', `This is not the address of the desk. Open ${transport.publicUrl}.`);
  };
}
