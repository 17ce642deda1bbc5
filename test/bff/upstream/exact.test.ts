import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createReader } from '../../../src/bff/upstream/exact.ts';
import { SubscriberPage } from '../../../src/contract/service/list-query.ts';
import { SubscriberWithLists } from '../../../src/contract/service/subscriber.ts';
import { subscriber } from '../../support/bff/canned.ts';

const page = {
  items: [subscriber, { ...subscriber, bundles: [1] }],
  page: 1,
  pageSize: 2,
  totalCount: 2,
  totalPages: 1,
};
const readers = { page: createReader(SubscriberPage), record: createReader(SubscriberWithLists) };

/** A copy with one value of it, however deep, replaced or removed. */
function damage(value: unknown, way: readonly number[], by: unknown): unknown {
  const [step, ...rest] = way;
  if (step === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[step % (keys.length + 1)] ?? 'extra';
  const changed = damage((value as Record<string, unknown>)[key], rest, by);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? changed : (item as unknown)));
  return { ...value, [key]: changed };
}

describe('an answer of the service', () => {
  it('is read as zod reads it, whatever is wrong with it', () => {
    const odd = fc.oneof(fc.constant(undefined), fc.constant(1.5), fc.constant(2 ** 53), fc.jsonValue());
    const way = fc.array(fc.nat(12), { maxLength: 3 });
    fc.assert(
      fc.property(way, odd, (steps, by) => {
        expect(readers.page(damage(page, steps, by))).toEqual(
          SubscriberPage.safeParse(damage(page, steps, by)),
        );
        const record = damage(subscriber, steps, by);
        expect(readers.record(record)).toEqual(SubscriberWithLists.safeParse(record));
      }),
      { numRuns: 2000 },
    );
  });

  it('is read by zod alone where the contract asks for more than types', () => {
    const read = createReader(z.object({ name: z.string().check(z.minLength(2)) }));
    expect([read({ name: 'x' }).success, read({ name: 'xy' }).success]).toEqual([false, true]);
  });

  it('is passed on without a copy where it is exactly what the contract says', () => {
    expect(readers.page(page).data).toBe(page);
    expect(readers.page({ ...page, more: 1 }).data).toEqual(page);
  });
});
