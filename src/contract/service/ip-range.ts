import { isAddressOrRange } from './subscriber-input.ts';

/** Addresses with the same first bits; a single address is a range of one. */
export interface IpRange {
  /** The bits of an address: 32, or 128 for IPv6. */
  bits: 32 | 128;
  /** The first address, as a number. */
  first: bigint;
  /** Number of bits that all addresses share. */
  prefix: number;
}

/** Reads an address or a range such as `192.0.2.0/24`; null for another text. IPv4 written as IPv6 is IPv4. */
export function readIpRange(text: string): IpRange | null {
  if (!isAddressOrRange(text)) return null;
  const [address = '', length] = text.split('/');
  const { bits, value } = address.includes(':')
    ? readIpv6(address)
    : { bits: 32 as const, value: readIpv4(address) };
  // ::ffff:0:0/96
  const isMapped = bits === 128 && value >> 32n === 0xff_ffn && Number(length ?? 128) >= 96;
  const read = { bits, first: value, prefix: Number(length ?? bits) };
  return rangeOf(isMapped ? { bits: 32, first: value & 0xff_ff_ff_ffn, prefix: read.prefix - 96 } : read);
}

const readIpv4 = (text: string): bigint =>
  text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);

function readIpv6(text: string): { bits: 128; value: bigint } {
  // Without brackets and without IPv4 at its end (RFC 5952).
  const canonical = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? '::';
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return { bits: 128, value: groups.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n) };
}

/** The range around an address: without the bits after the prefix. */
export function rangeOf({ bits, first, prefix }: IpRange): IpRange {
  const rest = BigInt(bits - prefix);
  return { bits, first: (first >> rest) << rest, prefix };
}

/** The ranges that contain a range: all of its prefixes, the shortest first, and itself. */
export const rangesAround = (range: IpRange): IpRange[] =>
  Array.from({ length: range.prefix + 1 }, (_, prefix) => rangeOf({ ...range, prefix }));

/** True if one of two ranges contains the other. */
export function areNested(one: IpRange, other: IpRange): boolean {
  const prefix = Math.min(one.prefix, other.prefix);
  return one.bits === other.bits && rangeOf({ ...one, prefix }).first === rangeOf({ ...other, prefix }).first;
}
