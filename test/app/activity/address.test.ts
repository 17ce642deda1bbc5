import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readActivityAddress, toActivityQuery } from '../../../src/app/activity/address.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const asked = (raw: Record<string, unknown>) => toActivityQuery(readActivityAddress(raw), now);

describe('an address', () => {
  test('that makes sense stays as it is', () => {
    const address = {
      person: 'tab',
      operation: 'deleteSubscriber',
      from: '2026-05-01',
      subscriber: 7,
      page: 2,
    };
    expect(readActivityAddress(address)).toEqual(address);
    expect(readActivityAddress({ period: '7-days' })).toEqual({ period: '7-days' });
  });

  test.each<[Record<string, unknown>]>([
    [{ page: '1' }],
    [{ page: '0' }],
    [{ page: 'x' }],
    [{ operation: 'issueToken' }],
    [{ person: 'nobody at all!' }],
    [{ period: 'toString' }],
    [{ from: '2026-02-30' }],
    [{ to: 'yesterday' }],
    [{ subscriber: '-3' }],
    [{ subscriber: { a: 1 } }],
    [{ other: 'x', from: '' }],
  ])('%j loses what is nonsense, or so by default', (raw) => {
    expect(readActivityAddress(raw)).toEqual({});
  });

  test('days in the wrong order are turned round, and go where a stretch up to today is given', () => {
    const [from, to] = ['2026-05-01', '2026-06-01'];
    expect(readActivityAddress({ from: to, to: from })).toEqual({ from, to });
    expect(readActivityAddress({ from, to, period: 'today' })).toEqual({ period: 'today' });
  });

  test('whatever it is, can be read, and reads the same again', () => {
    const names = ['person', 'operation', 'period', 'from', 'to', 'subscriber', 'page'];
    const anything = fc.dictionary(fc.constantFrom(...names), fc.anything());
    fc.assert(
      fc.property(anything, (raw) => {
        const address = readActivityAddress(raw);
        expect(readActivityAddress({ ...address })).toEqual(address);
        toActivityQuery(address, now);
      }),
      { seed: 4 },
    );
  });
});

describe('what is asked for', () => {
  test('a day counts from its first moment to its last, in the zone of the person', () => {
    expect(asked({ from: '2026-05-30', to: '2026-05-30' })).toMatchObject({
      from: '2026-05-29T22:00:00.000Z',
      to: '2026-05-30T22:00:00.000Z',
    });
  });

  test.each([
    ['today', '2026-05-31T22:00:00.000Z'],
    ['7-days', '2026-05-25T22:00:00.000Z'],
    ['30-days', '2026-05-02T22:00:00.000Z'],
  ])('%s begins at %s and ends with nothing', (period, from) => {
    expect(asked({ period })).toEqual({ from, pageSize: 25 });
  });

  test('other filters are renamed to the parameters of the BFF', () => {
    expect(asked({ person: 'tab', operation: 'createSubscriber', subscriber: '7', page: '2' })).toEqual({
      staff: 'tab',
      operation: 'createSubscriber',
      subscriberId: 7,
      page: 2,
      pageSize: 25,
    });
  });
});
