import { expect, test } from 'vitest';
import { ask, credentialsOf } from '../../support/bff/browser.ts';
import { openStaffedDesk } from '../../support/bff/desk.ts';

test('of many who sign in at once two at a time are looked at, and all get in', async () => {
  const desk = await openStaffedDesk();
  const verify = desk.passwords.verify.bind(desk.passwords);
  let [now, most] = [0, 0];
  // The first waits for another to come beside it; were there one turn, none would ever come.
  const second = Promise.withResolvers<void>();
  desk.passwords.verify = async (text, hash) => {
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
    Array.from({ length: 20 }, (_, place) =>
      desk.fetch(ask('POST', '/bff/session', { body: credentialsOf('viewer') }), {
        address: `192.0.2.${place}`,
      }),
    ),
  );
  expect(most).toBe(2);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
});
