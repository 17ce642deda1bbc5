import { expect, test } from 'vitest';
import { createTestDesk } from '../../support/desk.ts';
import { ask, credentialsOf } from '../../support/bff/browser.ts';

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
