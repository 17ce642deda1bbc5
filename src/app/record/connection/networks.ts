import { areNested, rangeOf, readIpRange, type IpRange } from '../../../contract/service/ip-range.ts';

/** "192.0.2.7", "192.0.2.0/24", "2001:db8::1". */
export function rangeText({ bits, first, prefix }: IpRange): string {
  const [size, count, base] = bits === 32 ? [8n, 4, 10] : [16n, 8, 16];
  const parts = Array.from({ length: count }, (_, index) =>
    BigInt.asUintN(Number(size), first >> (size * BigInt(count - 1 - index))).toString(base),
  );
  const address =
    bits === 32
      ? parts.join('.')
      : (URL.parse(`http://[${parts.join(':')}]`)?.hostname ?? '').replaceAll(/[[\]]/g, '');
  return prefix === bits ? address : `${address}/${prefix}`;
}

/** True if all addresses of the second are in the first. */
export const contains = (outer: IpRange, inner: IpRange): boolean =>
  outer.prefix <= inner.prefix && areNested(outer, inner);

export const isAddress = ({ bits, prefix }: IpRange): boolean => prefix === bits;

/** The addresses that one household or one provider's router usually has: /24, or /64 for IPv6. */
export const neighbourhoodOf = ({ bits, first }: IpRange): IpRange =>
  rangeOf({ bits, first, prefix: bits === 32 ? 24 : 64 });

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
].flatMap((text) => readIpRange(text) ?? []);

export const isInside = (range: IpRange): boolean => inside.some((local) => contains(local, range));
