import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import type { Person } from '../../support/bff/person.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';

const seconds = 1_000;

let desk: TestDesk;
let manager: Person;
beforeEach(async () => {
  desk = await createTestDesk({ people: Array.from({ length: 9 }, (_, index) => person(`p${index}`)) });
  manager = await desk.signIn('manager');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

/** Lets each answer of the service take so long from now on, in ms. @returns waits until so many are under way or done */
function slowDown(ms: number): (calls: number) => Promise<void> {
  desk.upstream.calls.length = 0;
  desk.upstream.operation = async (_, next) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return next();
  };
  return async (calls) => {
    await expect.poll(() => desk.upstream.calls.length).toBe(calls);
    await settle();
  };
}

/** Ends what takes no time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets time pass in small steps, and what ends meanwhile go on. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await vi.advanceTimersByTimeAsync(500);
    await settle();
  }
}

describe('a service that is slow', () => {
  it('keeps the list of the last opened subscribers waiting for 15 s at most, however many reads it takes', async () => {
    for (let id = 1; id <= 9; id += 1) await manager.bff.addRecentSubscriber({ params: { id } });
    const isRequested = slowDown(8 * seconds);
    const answer = outcomeOf(manager.ask('GET', '/bff/recent-subscribers'));
    await isRequested(4);
    await pass(15.5 * seconds);
    expect(await answer).toBe('504 upstream-timeout');
  });

  it('keeps the overview waiting for 10 s at most: then it is told that counting goes on', async () => {
    const isRequested = slowDown(12 * seconds);
    const overview = async () => (await manager.bff.getOverview({})).data;
    const first = overview();
    await isRequested(1);
    await pass(9 * seconds);
    expect(await Promise.race([first, settle()])).toBeUndefined();
    await pass(1.5 * seconds);
    expect(await first).toEqual({ numbers: null, counting: { read: 0, total: null } });
    const later = overview();
    await pass(4 * seconds);
    expect(await later).toMatchObject({ numbers: { total: 9 }, counting: null });
    expect(desk.upstream.calls).toHaveLength(1);
  });

  it('ends an export that waits for its first rows after 15 s, without another try', async () => {
    const isRequested = slowDown(20 * seconds);
    const answer = outcomeOf(manager.ask('GET', '/bff/export'));
    await isRequested(1);
    await pass(15.5 * seconds);
    expect(await answer).toBe('504 upstream-timeout');
    expect(desk.upstream.calls).toHaveLength(1);
  });

  it('keeps a change waiting for 15 s at most, however many calls it takes: others count it as abandoned after 20', async () => {
    vi.useRealTimers();
    const dialect = Dialect.parse({ omittedFieldsAreReset: true, include: 'comma' });
    desk = await createTestDesk({ people: [person('anna')], upstream: { dialect } });
    manager = await desk.signIn('manager');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    slowDown(10 * seconds);
    const { operation } = desk.upstream;
    // All but the journal's own read.
    desk.upstream.lookup = (seen, next) =>
      desk.upstream.lookups.length > 1 ? operation(seen, next) : next();
    const answer = outcomeOf(manager.ask('PUT', '/api/subscribers/1', { note: 'Called.' }));
    await expect.poll(() => desk.upstream.lookups.length).toBe(2);
    desk.upstream.lookup = (_, next) => next();
    await settle();
    await pass(15 * seconds);
    expect(desk.upstream.calls).toMatchObject([{ method: 'PUT' }]);
    expect(await answer).toBe('503 outcome-unknown');
  });
});
