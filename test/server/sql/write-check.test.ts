import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseBusy, databaseUnavailable } from '../../../src/server/sql/refusals.ts';
import { startWriteCheck } from '../../../src/server/sql/write-check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A check of a database that a test spoils, with a clock of its own. */
function open() {
  const time = { now: 1_000_000, apart: 0 };
  const log: unknown[] = [];
  const database = { fault: null as Error | null, writes: 0 };
  const write = async () => {
    database.writes += 1;
    if (database.fault) throw database.fault;
  };
  const check = startWriteCheck({
    database: 'desk',
    write,
    readTime: async () => time.now + time.apart,
    clock: () => time.now,
    log: (level, event, details) => void log.push({ level, event, ...details }),
  });
  return { ...check, time, log, database };
}

describe('the check that a database can be written to', () => {
  it('writes once for all who ask within 5 seconds', async () => {
    const { canWrite, database, time } = open();
    expect(await Promise.all([canWrite(), canWrite(), canWrite()])).toEqual([true, true, true]);
    time.now += 4999;
    await canWrite();
    expect(database.writes).toBe(1);
    time.now += 1;
    await canWrite();
    expect(database.writes).toBe(2);
  });

  it('is made twice a minute although nobody asks, and logs an error when that changes', async () => {
    const { stop, database, time, log } = open();
    const pass = async () => {
      time.now += 30_000;
      await vi.advanceTimersByTimeAsync(30_000);
    };
    await pass();
    expect([database.writes, log]).toEqual([1, []]);
    database.fault = databaseUnavailable(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
    await pass();
    await pass();
    expect(log).toMatchObject([
      { level: 'error', event: 'database-not-writable', database: 'desk', reason: 'database-unavailable' },
    ]);
    database.fault = new Error('odd');
    await pass();
    database.fault = null;
    await pass();
    expect(log.slice(1)).toMatchObject([
      { level: 'error', event: 'database-not-writable', reason: 'other' },
      { level: 'info', event: 'database-writable', database: 'desk' },
    ]);
    stop();
    await pass();
    expect(database.writes).toBe(5);
  });

  it('says as before while another process writes', async () => {
    const { canWrite, database, time, log } = open();
    database.fault = databaseBusy(new Error('locked'));
    expect(await canWrite()).toBe(true);
    time.now += 5000;
    database.fault = databaseUnavailable(new Error('gone'));
    expect(await canWrite()).toBe(false);
    time.now += 5000;
    database.fault = databaseBusy(new Error('locked'));
    expect(await canWrite()).toBe(false);
    expect(log).toHaveLength(1);
  });

  it.each([61_000, -61_000])(
    'shows a clock that is %d ms from the database’s, and that it is right again',
    async (apart) => {
      const { canWrite, isClockWrong, time, log } = open();
      time.apart = apart;
      expect([await canWrite(), isClockWrong()]).toEqual([false, true]);
      expect(log).toContainEqual(expect.objectContaining({ level: 'error', reason: 'clock-wrong' }));
      Object.assign(time, { now: time.now + 5000, apart: Math.sign(apart) * 59_000 });
      expect([await canWrite(), isClockWrong()]).toEqual([true, false]);
    },
  );
});
