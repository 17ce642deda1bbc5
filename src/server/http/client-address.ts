import { BlockList, isIP, isIPv6 } from 'node:net';

/** Whose request it is, by the peer's address and, where a proxy of ours handed it on, by what that one says. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Reads `X-Forwarded-For` where the peer may be believed: anybody can send it, so only what trusted proxies have
 * added counts, and that is at its end. Nothing else of `X-Forwarded-*` is read at all.
 *
 * @param trustedProxies addresses and CIDR ranges, as `isTrustable` takes them
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const text of trustedProxies) add(trusted, text);
  const isTrusted = (address: string) => trusted.check(address, family(address));
  return (peer, forwardedFor) => {
    let client = plain(peer ?? '');
    if (!client) return 'unknown';
    const hops = (forwardedFor ?? '').split(',').map(plain);
    while (trustedProxies.length > 0 && isTrusted(client)) {
      const before = hops.pop();
      // Nobody before it, or something that is no address: then the proxy itself is as far as one can see.
      if (!before) break;
      client = before;
    }
    return client;
  };
}

/** Whether a text is an address or a CIDR range that can be trusted. */
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

/** The address alone: without a port, without brackets, and IPv4 as itself where IPv6 carries it; empty for none. */
function plain(text: string): string {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:([\d.]+)$/i, '$1');
  return isIP(bare) === 0 ? '' : bare.toLowerCase();
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
