import { canonicalAddress } from '../../../contract/service/rules.ts';

/** A stretch of the address space: its first address, how many bits of an address are fixed, and of how many. */
interface Range {
  text: string;
  first: bigint;
  fixed: number;
  bits: 32 | 128;
}

/**
 * Addresses and ranges that another one of the list contains, so that they change nothing; each with the widest that
 * does. What cannot be read is left out: the contract's rule has its own sentence for it.
 */
export function containedRanges(list: readonly string[]): { inner: string; outer: string }[] {
  const ranges = list.flatMap((text) => readRange(text) ?? []);
  const widestFirst = ranges.toSorted((a, b) => a.fixed - b.fixed);
  return ranges.flatMap((inner) => {
    const outer = widestFirst.find((range) => range !== inner && contains(range, inner));
    return outer ? [{ inner: inner.text, outer: outer.text }] : [];
  });
}

function contains(outer: Range, inner: Range): boolean {
  const free = BigInt(outer.bits - outer.fixed);
  return (
    outer.bits === inner.bits && outer.fixed < inner.fixed && outer.first >> free === inner.first >> free
  );
}

function readRange(text: string): Range | null {
  const [address = '', prefix] = canonicalAddress(text).split('/');
  const bits = address.includes(':') ? 128 : 32;
  const first = bits === 128 ? readV6(address) : readV4(address);
  return first === null ? null : { text, first, fixed: prefix === undefined ? bits : Number(prefix), bits };
}

function readV4(address: string): bigint | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return null;
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

/** @param address in the one spelling that `canonicalAddress` gives: in brackets, hexadecimal, with one gap at most */
function readV6(address: string): bigint | null {
  const [before = '', after] = address.replace(/[[\]]/g, '').split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const gap = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(Math.max(gap, 0)).fill('0'), ...tail];
  if (groups.length !== 8 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
