import { screen } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { shows, toggleFilter } from '../../support/app/list.ts';
import { appears, button, dialog, disappears, hasFocus, openApp } from '../../support/app/page.tsx';
import { answerWith, openAt, title } from '../../support/app/session-over.ts';
import { kari, ola, signIn, staff } from '../../support/app/sign-in.ts';
import { codeLife, setUpApp } from '../../support/bff/second-factor.ts';
import { person } from '../../support/people.ts';

const code = () => screen.getByLabelText<HTMLInputElement>('Code');

/** The sign-in page, and Kari's authenticator app. */
async function openSignIn() {
  const page = await openApp('/sign-in', { people: [person('anna')], staff });
  return { ...page, app: await setUpApp(page, await page.signIn('Kari')) };
}

describe('a sign-in to an account with a second factor', () => {
  it('asks for the code after the password, and keeps what was typed', async () => {
    const { user, app } = await openSignIn();
    await appears('heading', 'Sign in to Subscriber Desk');
    expect(screen.queryByLabelText('Code')).toBeNull();
    await signIn(user, kari);
    await hasFocus(code);
    expect([code().autocomplete, code().inputMode]).toEqual(['one-time-code', 'text']);
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Kari');
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe(kari.password);
    // That a code is needed is no failure.
    expect(screen.getByRole('alert').textContent).toBe('');
    await user.keyboard(`${app.code()}{Enter}`);
    await shows('anna');
  });

  it('says what is wrong with a code below its field, and then takes a recovery code', async () => {
    const { user, app } = await openSignIn();
    await signIn(user, kari);
    await hasFocus(code);
    await user.keyboard('{Enter}');
    await screen.findByText('Enter the code.');
    await user.keyboard('000000{Enter}');
    const error = await screen.findByText(/^This code is wrong or was used before\./);
    expect(code().getAttribute('aria-describedby')).toContain(error.id);
    expect(code().getAttribute('aria-invalid')).toBe('true');
    await hasFocus(code);
    await user.clear(code());
    await user.paste(app.recoveryCodes[0]?.toUpperCase() ?? '');
    await user.click(button('Sign in'));
    await shows('anna');
  });

  it('lets somebody else sign in without one', async () => {
    const { user } = await openSignIn();
    await signIn(user, kari);
    await hasFocus(code);
    await signIn(user, ola);
    await shows('anna');
    await appears('button', /^Account: ?Ola/);
  });

  it('says after five wrong codes how long to wait', async () => {
    const { user, app } = await openSignIn();
    await signIn(user, kari);
    await hasFocus(code);
    for (let wrong = 1; wrong <= 5; wrong += 1) {
      await user.keyboard('000000{Enter}');
      await appears('button', 'Sign in');
      await user.clear(code());
    }
    await user.paste(app.code());
    await user.keyboard('{Enter}');
    await screen.findByText('Too many attempts. Try again in 12 minutes.');
  });
});

test('signing in again over the page asks for the code too', async () => {
  const page = await openAt('/subscribers');
  await shows('anna', 'bjarne');
  await appears('link', 'Expired trials0');
  // In another browser, which ends the session of this one.
  const app = await setUpApp(page, await page.signIn('Kari'));
  page.time.now += codeLife;
  await toggleFilter(page.user, 'Trial');
  const asking = await dialog(title);
  await answerWith(page, kari.password);
  await hasFocus(() => asking.getByLabelText('Code'));
  await page.user.keyboard('000000');
  await page.user.click(asking.getByRole('button', { name: 'Sign in' }));
  await asking.findByText(/^This code is wrong or was used before\./);
  await page.user.clear(asking.getByLabelText('Code'));
  await page.user.keyboard(app.code());
  await page.user.click(asking.getByRole('button', { name: 'Sign in' }));
  await disappears('dialog', title);
  await shows('bjarne');
});
