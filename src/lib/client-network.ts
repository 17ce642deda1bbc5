/**
 * The network that limits count as one client: an IPv4 address, or the first 48 bits of an IPv6 address. Providers give a
 * customer up to so much (RFC 6177 section 2). Of 64 bits, that would be 65,536 clients: 120 connections of them kept 12 of 14
 * sign-ins in new browsers out.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [before = '', after] = address.split('::');
  const [front, back] = [groups(before), groups(after ?? '')];
  const zeros =
    after === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  const network = [...front, ...zeros, ...back].slice(0, 3);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/48`;
}

const groups = (text: string) => (text === '' ? [] : text.split(':'));
