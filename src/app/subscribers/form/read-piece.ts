import type * as z from 'zod/mini';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import type { ChipReading } from '../../components/chips.tsx';
import { countryCode } from '../fields/countries.ts';

const { bundles, ipAddresses, userAgents } = SubscriberInput.shape;

/** One typed piece, held against the contract's rule for an element of its list. */
function readAs<T extends string | number>(
  element: z.ZodMiniType<T>,
  value: unknown,
  typed: string,
): ChipReading<T> {
  const read = element.safeParse(value);
  if (read.success) return { value: read.data };
  return { refused: `“${typed}”: ${read.error.issues[0]?.message ?? 'This cannot be used.'}` };
}

export const readBundle = (piece: string) =>
  readAs(bundles.def.element, /^\d+$/.test(piece) ? Number(piece) : Number.NaN, piece);
export const readIpAddress = (piece: string) => readAs(ipAddresses.def.element, piece, piece);
export const readUserAgent = (piece: string) => readAs(userAgents.def.element, piece, piece);

export function readCountry(piece: string): ChipReading<string> {
  const code = countryCode(piece);
  return code
    ? { value: code }
    : { refused: `“${piece}”: Enter a country by its name or its two-letter code.` };
}
