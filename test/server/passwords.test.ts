import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createPasswords } from '../../src/server/passwords.ts';

// Bytes that differ from call to call and repeat from run to run.
let calls = 0;
const passwords = createPasswords((bytes) => new Uint8Array(bytes).fill((calls += 1)));
const password = 'correct horse battery';
const hash = await passwords.hash(password);

test('a hash is argon2id with the promised costs, as a PHC string, and another for the same password by its salt', async () => {
  const promised = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
  expect(hash).toMatch(promised);
  expect(await passwords.hash(password)).not.toBe(hash);
});

test('the right password is verified, any other is not', async () => {
  expect(await passwords.verify(password, hash)).toBe(true);
  for (const wrong of ['', `${password} `, password.toUpperCase(), `${password}\0`])
    expect(await passwords.verify(wrong, hash)).toBe(false);
});

test('a letter that another keyboard composes is the same letter', async () => {
  const composed = await passwords.hash('caf\u00e9 au lait chaud');
  expect(await passwords.verify('cafe\u0301 au lait chaud', composed)).toBe(true);
});

test('a password hashed at other costs stays valid', async () => {
  // From the tests of the reference implementation: https://github.com/P-H-C/phc-winner-argon2/blob/master/src/test.c
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await passwords.verify('password', reference)).toBe(true);
});

test.each([
  '',
  'plain',
  '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$c29tZXNhbHQ',
  '$argon2id$v=19$m=19456,t=2,p=1$$',
])('nothing is verified by the odd hash "%s"', async (odd) => {
  expect(await passwords.verify('plain', odd)).toBe(false);
});

test('many at once are all done, and one that fails holds up none', async () => {
  // A cost of 0 passes its pattern and is refused by the algorithm itself.
  const broken = passwords.verify(password, hash.replace('t=2', 't=0'));
  const others = Array.from({ length: 6 }, () => passwords.verify(password, hash));
  await expect(broken).rejects.toThrow('passes');
  expect(await Promise.all(others)).toEqual(Array.from({ length: 6 }, () => true));
});

test('passwords are hashed where a sandbox lets no thread change its priority', async () => {
  const file = JSON.stringify(new URL('../../src/server/hashing-thread.ts', import.meta.url));
  const sandboxed = `import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    os.setPriority = () => { throw new Error('EPERM'); };
    syncBuiltinESMExports();
    await import(${file});`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(sandboxed)}`));
  const cost = { memory: 256, passes: 2, parallelism: 1 };
  thread.postMessage({ message: password, nonce: new Uint8Array(16), tagLength: 32, ...cost }, []);
  const [result] = await once(thread, 'message').finally(() => thread.terminate());
  expect(result.bytes).toHaveLength(32);
});
