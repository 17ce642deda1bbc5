import { isAddressOrRange } from '../../../contract/service/subscriber-input.ts';

/** An IP address, or a range of them. A single address is a range of one. */
export interface IpRange {
  version: 4 | 6;
  /** The first address, as a number. */
  first: bigint;
  /** The number of leading bits all its addresses share. */
  bits: number;
}

const widths = { 4: 32, 6: 128 } as const;

/**
 * Reads an address or a CIDR range. An IPv4 address inside an IPv6 one (`::ffff:192.0.2.1`) is read as IPv4.
 *
 * @returns null if it is neither
 */
export function parseRange(text: string): IpRange | null {
  if (!isAddressOrRange(text)) return null;
  const [address = '', prefix] = text.split('/');
  const version = address.includes(':') ? 6 : 4;
  const value = version === 4 ? ipv4Value(address) : ipv6Value(address);
  const bits = prefix === undefined ? widths[version] : Number(prefix);
  const isMapped = version === 6 && value >> 32n === 0xffffn && bits >= 96;
  if (isMapped) return rangeOf(4, value & 0xffffffffn, bits - 96);
  return rangeOf(version, value, bits);
}

/** The range around an address that begins with the same bits. */
export function rangeOf(version: 4 | 6, value: bigint, bits: number): IpRange {
  const rest = BigInt(widths[version] - bits);
  return { version, first: (value >> rest) << rest, bits };
}

const ipv4Value = (address: string) =>
  address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);

function ipv6Value(address: string): bigint {
  // The host of a URL is written in one way (RFC 5952), without an IPv4 part.
  const [head = '', tail] = (URL.parse(`http://[${address}]`)?.hostname ?? '').slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const groups = [...(left ?? []), ...Array<string>(zeros).fill('0'), ...(right ?? [])];
  return groups.reduce((value, group) => (value << 16n) + BigInt(`0x${group}`), 0n);
}

/** "192.0.2.7", "192.0.2.0/24", "2001:db8::1". */
export function rangeText({ version, first, bits }: IpRange): string {
  const size = version === 4 ? 8n : 16n;
  const count = version === 4 ? 4 : 8;
  const parts = Array.from({ length: count }, (_, index) => {
    const part = (first >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n);
    return part.toString(version === 4 ? 10 : 16);
  });
  const address =
    version === 4
      ? parts.join('.')
      : (URL.parse(`http://[${parts.join(':')}]`)?.hostname ?? '').replaceAll(/[[\]]/g, '');
  return bits === widths[version] ? address : `${address}/${bits}`;
}

/** True if all addresses of the second are in the first. */
export const contains = (outer: IpRange, inner: IpRange): boolean =>
  outer.version === inner.version &&
  outer.bits <= inner.bits &&
  rangeOf(inner.version, inner.first, outer.bits).first === outer.first;

export const isAddress = ({ version, bits }: IpRange): boolean => bits === widths[version];

/** The addresses that one household or one provider's router usually has: /24, or /64 for IPv6. */
export const neighbourhoodOf = ({ version, first }: IpRange): IpRange =>
  rangeOf(version, first, version === 4 ? 24 : 64);

/** Addresses inside a home or a machine, which no server sees: RFC 1918, 3927, 4193, 4291, 5735, 6598. */
const inside = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
].flatMap((text) => parseRange(text) ?? []);

export const isInside = (range: IpRange): boolean => inside.some((local) => contains(local, range));
