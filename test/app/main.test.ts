import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { shows } from '../support/app/list.ts';
import { openDesk } from '../support/app/desk.ts';
import { appears } from '../support/app/page.tsx';
import { person } from '../support/people.ts';
import { kari, signIn, signInHeading, staff } from '../support/app/sign-in.ts';

test('the page starts with the stored theme, asks to sign in, and opens its address', async () => {
  await openDesk({ people: [person('anna'), person('bjarne', { isTrial: true })], staff });
  localStorage.setItem('theme', 'dark');
  history.replaceState(null, '', '/subscribers?trial=true');
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  const { started } = await import('../../src/app/main.tsx');
  onTestFinished(async () => {
    const root = await started;
    await act(async () => root?.unmount());
  });
  expect(document.documentElement.dataset['theme']).toBe('dark');
  await appears('heading', signInHeading);
  expect(location.search).toBe(`?${new URLSearchParams({ from: '/subscribers?trial=true' })}`);
  await signIn(userEvent.setup(), kari);
  await shows('bjarne');
  await waitFor(() => expect(location.pathname + location.search).toBe('/subscribers?trial=true'));
  await screen.findByText('1–1 of 1');
});
