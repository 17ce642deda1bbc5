import { describe, expect, it } from 'vitest';
import { createQueue } from '../../src/lib/queue.ts';

const busy = new Error('It is full.');
const limits = { atOnce: 2, mostWaiting: 3, patience: 60_000, refusal: () => busy };

/** A task that runs until it is told to end. */
function createTask(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const task = () => {
    begun.push(name);
    return promise;
  };
  return { task, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

describe('a queue', () => {
  it('runs as many tasks at once as its limit, the others in the order in which they came', async () => {
    const begun: string[] = [];
    const queue = createQueue(limits);
    const tasks = ['a', 'b', 'c', 'd'].map((name) => createTask(begun, name));
    const results = tasks.map(({ task }) => queue.run(task));
    expect(begun).toEqual(['a', 'b']);
    tasks[1]?.end();
    await results[1];
    expect(begun).toEqual(['a', 'b', 'c']);
    tasks[0]?.fail();
    await expect(results[0]).rejects.toThrow('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    for (const { end } of tasks) end();
    expect(await Promise.all(results.slice(1))).toEqual(['b', 'c', 'd']);
  });

  it('refuses a task where too many wait, and runs it once there is room', async () => {
    const begun: string[] = [];
    const queue = createQueue(limits);
    const tasks = ['a', 'b', 'c', 'd', 'e'].map((name) => createTask(begun, name));
    const results = tasks.map(({ task }) => queue.run(task));
    await expect(queue.run(async () => 'f')).rejects.toBe(busy);
    for (const { end } of tasks) end();
    await Promise.all(results);
    expect(await queue.run(async () => 'f')).toBe('f');
  });

  it('lets a waiting task leave that nobody wants any more, for another', async () => {
    const begun: string[] = [];
    const queue = createQueue({ ...limits, mostWaiting: 1 });
    const tasks = ['a', 'b', 'c', 'd'].map((name) => createTask(begun, name));
    const [a, b] = tasks.map(({ task }) => task);
    const running = [a, b].map((task) => queue.run(task ?? (async () => '')));
    const deleted = new AbortController();
    const given = queue.run(async () => 'gone', deleted.signal);
    deleted.abort();
    await expect(given).rejects.toBe(busy);
    const waiting = queue.run(async () => 'waited');
    for (const { end } of tasks) end();
    expect(await Promise.all([...running, waiting])).toEqual(['a', 'b', 'waited']);
  });

  it('does not begin a task that nobody wants any more', async () => {
    const queue = createQueue({ ...limits, atOnce: 0 });
    await expect(queue.run(async () => 'never', AbortSignal.abort())).rejects.toBe(busy);
  });

  it('refuses a task that has waited for too long', async () => {
    const queue = createQueue({ ...limits, atOnce: 0, patience: 10 });
    await expect(queue.run(async () => 'never')).rejects.toBe(busy);
  });
});
