import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, dialog, disappears, hasFocus, type Page } from '../../support/app/page.tsx';
import { openPane, shownToken } from '../../support/app/pane.ts';

const title = 'Regenerate access token';
const change = /POST .*\/regenerate-token/;

async function askToRegenerate(options: { role?: 'support' } = {}) {
  const page = await openPane(options);
  const before = page.people[0]?.accessToken ?? '';
  await page.user.click(button('Regenerate token…'));
  return { ...page, before, shown: await dialog(title) };
}

/** The username that the service finds by a token, if any. */
const findBy = ({ service }: Pick<Page, 'service'>, accessToken: string) =>
  service.getSubscriberByToken({ params: { accessToken }, query: {} }).then(
    ({ data }) => data.username,
    () => null,
  );

test('the dialog says what regenerating does, and Cancel does nothing', async () => {
  const page = await askToRegenerate();
  const { shown, user, before } = page;
  shown.getByText(
    /stops working immediately\. Every device that uses it is cut off until it gets the new token\.$/,
  );
  shown.getByText('You can’t undo this.');
  expect(shown.getByText(`••••••••••••${before.slice(-4)}`)).toBeTruthy();
  await user.click(shown.getByRole('button', { name: 'Cancel' }));
  await disappears('dialog', title);
  await hasFocus(() => button('Regenerate token…'));
  expect(page.requested(change)).toEqual([]);
  expect(await findBy(page, before)).toBe('anna');
});

test('the new token is shown until the dialog is closed, and can be copied; the old one finds nothing', async () => {
  const page = await askToRegenerate({ role: 'support' });
  const { shown, user, before } = page;
  await user.click(shown.getByRole('button', { name: 'Regenerate token' }));
  await screen.findByText('anna has a new token. The old one no longer works.');
  const stored = await dialog(title);
  await hasFocus(() => stored.getByRole('button', { name: 'Copy token' }));
  const after = stored.getByRole('code').textContent;
  expect(after).toMatch(/^[\w-]{43}$/);
  expect([await findBy(page, before), await findBy(page, after)]).toEqual([null, 'anna']);
  await user.click(stored.getByRole('button', { name: 'Copy token' }));
  expect(await navigator.clipboard.readText()).toBe(after);
  await user.click(stored.getByRole('button', { name: 'Done' }));
  await disappears('dialog', title);
  await waitFor(() => expect(shownToken()).toBe(`••••••••••••${after.slice(-4)}`));
});

test('a token is not replaced after someone else’s change', async () => {
  const page = await askToRegenerate();
  await page.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Someone else was here.' } });
  await page.user.click(page.shown.getByRole('button', { name: 'Regenerate token' }));
  await page.shown.findByText(/^The token wasn’t replaced: someone changed this subscriber/);
  expect(await findBy(page, page.before)).toBe('anna');
});
