/**
 * The network that limits count as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * providers give each customer such a network (RFC 6177).
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [before = '', after] = address.split('::');
  const [front, back] = [groups(before), groups(after ?? '')];
  const zeros =
    after === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  const network = [...front, ...zeros, ...back].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

const groups = (text: string) => (text === '' ? [] : text.split(':'));
