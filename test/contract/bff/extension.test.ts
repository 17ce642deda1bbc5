import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendExpiry, type Extension } from '../../../src/contract/bff/extension.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

describe('an extension', () => {
  it('ends at the same time of day in its zone, on the last day of a month that is too short', async () => {
    await expectOutcomes<[from: string, extension: Extension, zone: string]>(
      {
        '2026-01-17T12:00:00.000Z': [['2026-01-10T12:00:00.000Z', { days: 7 }, 'UTC']],
        '2026-02-28T12:00:00.000Z': [['2026-01-31T12:00:00.000Z', { months: 1 }, 'UTC']],
        '2028-02-29T12:00:00.000Z': [['2028-01-31T12:00:00.000Z', { months: 1 }, 'UTC']],
        '2029-02-28T12:00:00.000Z': [['2028-02-29T12:00:00.000Z', { years: 1 }, 'UTC']],
        '2028-02-28T12:00:00.000Z': [['2027-02-28T12:00:00.000Z', { years: 1 }, 'UTC']],
        '2027-02-28T23:59:59.999Z': [['2026-12-31T23:59:59.999Z', { months: 2 }, 'UTC']],
        // Oslo is an hour ahead in winter and two in summer.
        '2026-04-04T11:00:00.000Z': [['2026-03-28T12:00:00.000Z', { days: 7 }, 'Europe/Oslo']],
        '2026-04-01T16:00:00.000Z': [['2026-03-01T17:00:00.000Z', { months: 1 }, 'America/New_York']],
        // Half an hour is the change of clocks there.
        '2026-04-08T01:30:00.000Z': [['2026-04-01T01:00:00.000Z', { days: 7 }, 'Australia/Lord_Howe']],
        // In Oslo it is already 31 January.
        '2026-02-27T23:30:00.000Z': [['2026-01-30T23:30:00.000Z', { months: 1 }, 'Europe/Oslo']],
        // 02:30 on 29 March 2026 does not exist there, and 02:30 on 25 October exists twice: the first counts.
        '2026-03-29T01:30:00.000Z': [['2026-02-28T01:30:00.000Z', { days: 29 }, 'Europe/Oslo']],
        '2026-10-25T00:30:00.000Z': [['2026-10-24T00:30:00.000Z', { days: 1 }, 'Europe/Oslo']],
        '2027-01-10T12:00:00.000Z': [['2026-01-10T12:00:00.000Z', { months: 12 }, 'Asia/Kathmandu']],
      },
      ([from, extension, zone]) => {
        const at = Date.parse(from);
        return new Date(extendExpiry(at, extension, { now: at, zone, from: 'expiry' })).toISOString();
      },
    );
  });

  it('starts at the later of the old expiry and now, unless it says otherwise', () => {
    const [past, now, future] = [1_000_000_000_000, 1_700_000_000_000, 1_800_000_000_000];
    const day = 24 * 60 * 60_000;
    const options = { now, zone: 'UTC' };
    const tomorrow = Date.parse('2023-11-15T23:59:59.000Z');
    expect(extendExpiry(past, { days: 1 }, options)).toBe(tomorrow);
    expect(extendExpiry(future, { days: 1 }, options)).toBe(future + day);
    expect(extendExpiry(Number.NaN, { days: 1 }, options)).toBe(tomorrow);
    expect(extendExpiry(past, { days: 1 }, { ...options, from: 'expiry' })).toBe(past + day);
  });

  it('ends with the day of its zone if it starts now', async () => {
    await expectOutcomes<[now: string, zone: string]>(
      {
        '2026-01-17T23:59:59.000Z': [
          ['2026-01-10T12:00:00.000Z', 'UTC'],
          ['2026-01-10T23:59:59.999Z', 'UTC'],
        ],
        // Already the next day there, and in summer an hour earlier by UTC.
        '2026-04-04T21:59:59.000Z': [['2026-03-27T23:30:00.000Z', 'Europe/Oslo']],
        '2026-01-18T18:14:59.000Z': [['2026-01-10T20:00:00.000Z', 'Asia/Kathmandu']],
      },
      ([now, zone]) => {
        const extended = extendExpiry(Number.NaN, { days: 7 }, { now: Date.parse(now), zone });
        return new Date(extended).toISOString();
      },
    );
  });

  it('always makes the expiry later, and a month never reaches past the next', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Oslo', 'America/St_Johns', 'Pacific/Apia', 'Asia/Tehran');
    const instant = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-01-01') });
    const extensions = fc.constantFrom<Extension>({ days: 7 }, { months: 1 }, { years: 1 });
    fc.assert(
      fc.property(zones, instant, instant, extensions, (zone, expiry, now, extension) => {
        const start = Math.max(expiry, now);
        const end = extendExpiry(expiry, extension, { now, zone });
        expect(end).toBeGreaterThan(start);
        if ('days' in extension) return;
        const [from, to] = [start, end].map((at) => {
          const [year, month] = new Date(at).toLocaleDateString('sv-SE', { timeZone: zone }).split('-');
          return Number(year) * 12 + Number(month);
        });
        expect(Number(to) - Number(from)).toBe('years' in extension ? 12 : 1);
      }),
      { seed: 20_260_604, numRuns: 2000 },
    );
  });
});
