import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { differencesOf, merge, valueOf, type Versions } from '../../../src/app/form/conflict-dialog.tsx';
import type { SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { anna } from '../../support/people.ts';

const versions = (
  theirs: Partial<SubscriberInput>,
  mine: Partial<SubscriberInput>,
  base: SubscriberInput = anna,
): Versions => ({ base, theirs: { ...base, ...theirs }, mine: { ...base, ...mine } });

describe('the comparison of two versions', () => {
  it('leaves out equal changes, and another order of a list', () => {
    expect(differencesOf(versions({ note: 'Same.', bundles: [7, 30] }, { note: 'Same.' }))).toEqual([]);
  });
});

describe('a list that both changed', () => {
  const of = versions({ bundles: [30, 8] }, { bundles: [7, 9] });

  it('can be merged: with what each added, without what each removed', () => {
    expect(valueOf(of, 'bundles', 'both')).toEqual([8, 9]);
  });
});

test('a merge keeps every change that only one of the two made', () => {
  const change = fc.record(
    {
      note: fc.constantFrom('', 'a', 'b'),
      email: fc.constantFrom('a@example.com', 'b@example.com'),
      maxConnections: fc.nat(2),
      hls: fc.boolean(),
      bundles: fc.subarray([1, 2, 3]),
      countries: fc.subarray(['NO', 'SE']),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(change, change, change, (before, theirs, mine) => {
      const of = versions(theirs, mine, { ...anna, ...before });
      const merged = merge(of, {});
      const differences = new Map(differencesOf(of).map((difference) => [difference.name, difference]));
      for (const name of Object.keys(anna) as (keyof SubscriberInput)[]) {
        const { changedBy = 'theirs', clash = false } = differences.get(name) ?? {};
        expect(merged[name]).toEqual(valueOf(of, name, clash ? 'theirs' : changedBy));
      }
    }),
    { seed: 20_260_604, numRuns: 1000 },
  );
});
