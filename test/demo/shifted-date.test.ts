import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installShiftedDate } from '../../src/demo/demo.ts';

const RealDate = Date;
const hour = 60 * 60_000;
let present: ReturnType<typeof installShiftedDate>;

beforeEach(() => {
  present = installShiftedDate(hour);
});
afterEach(() => {
  globalThis.Date = RealDate;
});

const isAhead = (now: number, by: number) => Math.abs(now - RealDate.now() - by) < 60_000;

describe('the shifted date', () => {
  it('is ahead in Date.now(), new Date() and Date(), and can be moved further', () => {
    for (const read of [() => Date.now(), () => new Date().getTime(), () => Date.parse(Date())])
      expect(isAhead(read(), hour)).toBe(true);
    present.move(2 * hour);
    expect(present.ahead()).toBe(3 * hour);
    expect(isAhead(Date.now(), 3 * hour)).toBe(true);
  });

  it('leaves given dates unchanged, and they are instances of Date', () => {
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(new Date(2026, 0, 31).getDate()).toBe(31);
    expect(Date.UTC(2026, 0, 1)).toBe(Date.parse('2026-01-01'));
    expect(new Date()).toBeInstanceOf(Date);
    expect(new Date()).toBeInstanceOf(RealDate);
  });
});
