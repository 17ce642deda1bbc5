import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Finds the client's address: the peer's, or the one that a trusted proxy names in `X-Forwarded-For`. Anyone can send it, so only what the proxies added at its end
 * counts. Reads no other `X-Forwarded-*`.
 *
 * @param trustedProxies addresses and CIDR ranges, as `isTrustable` takes them
 */
export function createClientAddress(trustedProxies: readonly string[]) {
  const isTrusted = createProxyCheck(trustedProxies);
  return (peer: string | undefined, forwardedFor: string | undefined): string => {
    let client = plain(peer ?? '');
    if (!client) return 'unknown';
    // Read from its end: the beginning, which anyone can send, may be long.
    let hops = forwardedFor ?? '';
    while (trustedProxies.length > 0 && isTrusted(client)) {
      const comma = hops.lastIndexOf(',');
      const previous = plain(hops.slice(comma + 1));
      // The list ends, or names no address: then the proxy itself is the client.
      if (!previous) break;
      client = previous;
      hops = hops.slice(0, Math.max(0, comma));
    }
    return client;
  };
}

/** Says of a peer's address whether it is a trusted proxy's. */
export function createProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const text of trustedProxies) add(trusted, text);
  return (address) => {
    const bare = plain(address);
    return bare !== '' && trusted.check(bare, family(bare));
  };
}

/** True for an address or a CIDR range that can be trusted. */
export function isTrustable(text: string): boolean {
  try {
    add(new BlockList(), text);
    return true;
  } catch {
    return false;
  }
}

function add(list: BlockList, text: string): void {
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) throw new Error('no address');
  if (prefix === undefined) list.addAddress(address, family(address));
  else if (/^\d{1,3}$/.test(prefix)) list.addSubnet(address, Number(prefix), family(address));
  else throw new Error('no range');
}

/** The address without port and brackets, and IPv4 that is mapped into IPv6 as IPv4; empty for no address. */
function plain(text: string): string {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:([\d.]+)$/i, '$1');
  return isIP(bare) === 0 ? '' : bare.toLowerCase();
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
/** True if a host's name or address is this machine's alone. */
export function isLoopback(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host.toLowerCase());
}
