import { bundleLimits } from '../../contract/bff/bundle.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import { limits } from '../../contract/service/limits.ts';
import { SubscriberDetail } from '../../contract/service/subscriber.ts';

const fields = Object.keys(SubscriberDetail.shape).length;
const { bundles, ipAddresses, userAgents, countries } = limits;

/** Most values of one list that are read: ten times as many bundles as have names here. */
export const longestList = 10 * bundleLimits.bundles;

/** The most of an answer: a record's fields many times over, and the largest page with all lists of all its subscribers. */
const most = {
  depth: 20,
  fields: 200,
  values: pageSizes.most * (fields + bundles + ipAddresses + userAgents + countries),
} as const;

/** In bytes: a page of 200. What is shorter is read in 30 ms, whatever it holds. */
const harmless = 64 * 1024;

/**
 * True for a body that no honest answer needs, because it has more values, or they are nested deeper. To parse and check 5 MiB
 * of these would keep everybody waiting for seconds; to count them takes 1 ms for each MiB.
 *
 * @param bytes JSON, or anything else
 */
export function isExcessive(bytes: Uint8Array): boolean {
  if (bytes.length <= harmless) return false;
  // By depth: the commas of what is open there, and how many there may be.
  const commas = new Uint32Array(most.depth + 1);
  const allowed = new Uint32Array(most.depth + 1).fill(longestList);
  let depth = 0;
  let all = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at += 1; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
    } else if (byte === comma) {
      all += 1;
      commas[depth] = (commas[depth] ?? 0) + 1;
      if (all > most.values || (commas[depth] ?? 0) > (allowed[depth] ?? 0)) return true;
    } else if (byte === bracket || byte === brace) {
      depth += 1;
      if (depth > most.depth) return true;
      commas[depth] = 0;
      allowed[depth] = byte === brace ? most.fields : longestList;
    } else if ((byte === closingBracket || byte === closingBrace) && depth > 0) depth -= 1;
  }
  return false;
}

const [quote, comma, bracket, backslash, closingBracket, brace, closingBrace] = [
  ...new TextEncoder().encode('",[\\]{}'),
];
