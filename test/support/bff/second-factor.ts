import { Secret, TOTP } from 'otpauth';
import type { TestDesk } from '../desk.ts';
import type { Person } from './person.ts';

/** The code of an authenticator app with this key at a time, in ms since 1970. */
export const codeAt = (key: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: at });

/** Time that each code is shown, in ms. */
export const codeLife = 30_000;

/**
 * Sets an authenticator app up for a user who is signed in. Time goes on, so that the app's next code is another one.
 *
 * @returns the app's key, the recovery codes, and what the app shows now
 */
export async function setUpApp({ time }: Pick<TestDesk, 'time'>, { bff }: Pick<Person, 'bff'>) {
  const { key, setup } = (await bff.setUpApp({})).data;
  const { data } = await bff.confirmApp({ body: { setup, code: codeAt(key, time.now) } });
  time.now += codeLife;
  return { key, recoveryCodes: data.recoveryCodes, code: () => codeAt(key, time.now) };
}
