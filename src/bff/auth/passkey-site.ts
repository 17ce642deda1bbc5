import type { Transport } from '../deps.ts';
import { loopback } from '../http/guards.ts';

/** What passkeys are bound to: a name (the RP ID of Web Authentication), and the origin of the pages that use them. */
export interface PasskeySite {
  id: string;
  origin: string;
}

/** Null where no browser makes passkeys: in a tab, without https, and where the host is an IP address. */
export function passkeySite(transport: Transport): PasskeySite | null {
  if (transport.kind === 'tab') return null;
  const url = new URL(transport.publicUrl);
  // All loopback addresses are ours, and of them only this one is a name.
  if (loopback.includes(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin, protocol } = url;
  const isName = !/^\[|^[\d.]+$/.test(hostname);
  return isName && (protocol === 'https:' || hostname === 'localhost') ? { id: hostname, origin } : null;
}

/**
 * Why no passkey can be used at the address where a request was sent to, and what to do; null if one can.
 *
 * @param host the name in that address
 */
export function whyNoPasskey(site: PasskeySite | null, transport: Transport, host: string): string | null {
  if (transport.kind === 'tab')
    return 'Passkeys are not possible here, because the demo has no server that could check them.';
  if (!site)
    return 'Passkeys need an address with https and a name, not a number. Ask an administrator for one.';
  if (host === site.id) return null;
  return `Passkeys are bound to a name, and this address is a number. Open ${site.origin} to use them.`;
}
