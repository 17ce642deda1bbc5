import { expect, test } from 'vitest';
import { createSemaphore } from '../../../src/bff/auth/local-sign-in.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, credentialsOf } from '../../support/bff/browser.ts';

/** Tasks whose start is recorded and whose end a test decides. */
function openTasks(most: number) {
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

test('a semaphore runs no more tasks at once than allowed, and the others in order of arrival', async () => {
  const { run, begun, end } = openTasks(2);
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

test('a semaphore runs the next task after one that failed', async () => {
  const { run, begun, end } = openTasks(1);
  const [a, b] = [run('a'), run('b')];
  end('a', new Error('odd'));
  await expect(a).rejects.toThrow('odd');
  await expect.poll(() => begun).toEqual(['a', 'b']);
  end('b');
  expect(await b).toBe('b');
});

test('checks the passwords of many who sign in at once two at a time, and lets all of them in', async () => {
  const bff = await createTestDesk();
  const verify = bff.passwords.verify.bind(bff.passwords);
  let [now, most] = [0, 0];
  // The first waits for a second one, which would never come if they were checked one at a time.
  const second = Promise.withResolvers<void>();
  bff.passwords.verify = async (text, hash) => {
    now += 1;
    most = Math.max(most, now);
    if (now === 2) second.resolve();
    await second.promise;
    await new Promise((resolve) => setImmediate(resolve));
    const right = await verify(text, hash);
    now -= 1;
    return right;
  };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      bff.fetch(ask('POST', '/bff/session', { body: credentialsOf('viewer') }), {
        address: `192.0.2.${index}`,
      }),
    ),
  );
  expect(most).toBe(2);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
});
