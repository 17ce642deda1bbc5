import { expect, test } from 'vitest';
import { createSemaphore } from '../../../src/bff/auth/local-sign-in.ts';

/** Tasks that say when they begin and end when they are told to. */
function arrange(most: number) {
  const inTurn = createSemaphore(most);
  const begun: string[] = [];
  const end = new Map<string, (failure?: Error) => void>();
  const run = (name: string) =>
    inTurn(() => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        end.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
      });
    });
  return { run, begun, end: (name: string, failure?: Error) => end.get(name)?.(failure) };
}

test('no more run at once than allowed, and the others begin in the order they came', async () => {
  const { run, begun, end } = arrange(2);
  const [a, b, c, d] = [run('a'), run('b'), run('c'), run('d')];
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await b;
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  const e = run('e');
  end('a');
  await a;
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) end(name);
  await Promise.all([c, d]);
  await expect.poll(() => begun).toContain('e');
  end('e');
  expect(await e).toBe('e');
});

test('a task that fails gives its place back', async () => {
  const { run, begun, end } = arrange(1);
  const [a, b] = [run('a'), run('b')];
  end('a', new Error('odd'));
  await expect(a).rejects.toThrow('odd');
  await expect.poll(() => begun).toEqual(['a', 'b']);
  end('b');
  expect(await b).toBe('b');
});
