import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { paneActivity, toasts } from '../../support/app/activity.ts';
import { announced } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { button, dialog, disappears, field, hasFocus } from '../../support/app/page.tsx';
import { details, openPane as openAnna } from '../../support/app/pane.ts';

const change = /PUT \/api/;

/** The pane of a subscriber who expired ten days ago, if not given another expiry. */
async function openPane(expiresAt = '2026-05-22T13:00:00.000Z') {
  const page = await openAnna({ own: { expiresAt }, role: 'support' });
  return { ...page, now: async () => (await page.saved()).expiresAt };
}

const start = (name: string) =>
  within(screen.getByRole('group', { name: 'Start from' })).getByRole('button', { name });

const dates = () =>
  ['+7 days', '+1 month', '+1 year'].map((name) => button(new RegExp(`^\\${name}`)).textContent);

describe('the new expiry on the extend buttons', () => {
  it('starts today if the subscriber has expired, unless the old expiry is chosen', async () => {
    const { user, shown } = await openPane();
    expect(dates()).toEqual(['+7 days 8 Jun 2026', '+1 month 1 Jul 2026', '+1 year 1 Jun 2027']);
    shown.getByText('Starts today (expired 22 May 2026).');
    expect(start('Today').getAttribute('aria-pressed')).toBe('true');
    expect(button(/^\+7 days/).getAttribute('aria-description')).toMatch(
      /^The new expiry is 8 Jun 2026, 23:59 \(21:59 UTC\)\.$/,
    );
    await user.keyboard('+');
    await hasFocus(() => button(/^\+7 days/));
    await user.click(start('Old expiry'));
    shown.getByText('Starts on 22 May 2026. Past: +7 days.');
    expect(dates()).toEqual(['+7 days 29 May 2026', '+1 month 22 Jun 2026', '+1 year 22 May 2027']);
    expect(button(/^\+7 days/).getAttribute('aria-description')).toMatch(/, which is in the past\.$/);
  });

  it('says so where all end in the past', async () => {
    const { user, shown } = await openPane('2024-05-22T13:00:00.000Z');
    await user.click(start('Old expiry'));
    shown.getByText('Starts on 22 May 2024. All end in the past.');
  });

  it('starts at the current expiry if it is to come, unless today is chosen', async () => {
    const { user, shown } = await openPane('2027-01-31T11:00:00.000Z');
    expect(dates()).toEqual(['+7 days 7 Feb 2027', '+1 month 28 Feb 2027', '+1 year 31 Jan 2028']);
    shown.getByText('Starts on 31 Jan 2027.');
    expect(start('Current expiry').getAttribute('aria-pressed')).toBe('true');
    await user.click(start('Today'));
    shown.getByText('Starts today (expires 31 Jan 2027).');
    expect(dates()).toEqual(['+7 days 8 Jun 2026', '+1 month 1 Jul 2026', '+1 year 1 Jun 2027']);
  });
});

test('an extend button saves the new expiry alone, bound to the version on the screen', async () => {
  const page = await openPane('2027-01-31T11:00:00.000Z');
  const { user, now } = page;
  await user.click(button(/^\+1 month/));
  await screen.findByText('anna now expires on 28 Feb 2027, 12:00.');
  expect(await now()).toBe('2027-02-28T11:00:00.000Z');
  const { ifMatch, body } = await page.sent(change);
  expect(ifMatch).toBeTruthy();
  expect(body).toEqual({ expiresAt: '2027-02-28T11:00:00.000Z' });
  expect(details()['Expires']).toBe('28 Feb 2027, 12:00 (11:00 UTC)');
  expect(dates()[0]).toBe('+7 days 7 Mar 2027');
});

test('an extension from today ends with the day, and one from the old expiry keeps its time of day', async () => {
  const { user, now } = await openPane();
  await user.click(button(/^\+7 days/));
  await screen.findByText('anna now expires on 8 Jun 2026, 23:59.');
  expect(await now()).toBe('2026-06-08T21:59:59.000Z');
  await user.click(await screen.findByRole('button', { name: /^\+1 month 8 Jul 2026/ }));
  await screen.findByText('anna now expires on 8 Jul 2026, 23:59.');
  expect(await now()).toBe('2026-07-08T21:59:59.000Z');
});

test('a reason goes with the next extension only', async () => {
  const page = await openPane();
  const { user } = page;
  await user.click(button('Add reason'));
  // The button hands the focus on, so that no shortcut runs on what is typed.
  await hasFocus(() => field('Reason (optional)'));
  expect(button('Remove reason')).toBeTruthy();
  await user.paste('Paid by card');
  await user.click(button(/^\+7 days/));
  await screen.findByText(/^anna now expires on 8 Jun/);
  expect((await page.sent(change)).reason).toBe('Paid%20by%20card');
  await (await paneActivity()).findByText('“Paid by card”');
  await disappears('textbox', 'Reason (optional)');
  await user.click(await screen.findByRole('button', { name: /^\+1 month 8 Jul 2026/ }));
  await screen.findByText(/^anna now expires on 8 Jul/);
  expect((await page.sent(change)).reason).toBeNull();
});

test('the extend buttons are busy while an extension is saved, and a second press sends nothing', async () => {
  const { user, requested } = await openPane();
  const answer = holdAnswers(change);
  await user.click(button(/^\+7 days/));
  await user.click(button(/^\+7 days/));
  expect(button(/^\+1 year/).getAttribute('aria-busy')).toBe('true');
  expect(announced()).toContain('Saving 8 Jun 2026 as the new expiry…');
  answer.release();
  await screen.findByText(/^anna now expires on/);
  expect(announced().join()).not.toMatch(/Saving/);
  expect(requested(change)).toHaveLength(1);
});

describe('“Pick a date…”', () => {
  it('opens a dialog that shows the time in UTC and warns about one in the past', async () => {
    const { user, now } = await openPane();
    await user.click(button('Pick a date…'));
    const shown = await dialog('Set expiry for anna');
    const field = shown.getByLabelText<HTMLInputElement>('New expiry');
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('2026-07-01T23:59');
    await user.clear(field);
    await user.click(shown.getByRole('button', { name: 'Set expiry' }));
    shown.getByText('Enter a date and time.');
    await user.type(field, '2026-01-02T10:00');
    shown.getByText('In the past: 09:00 UTC · 4 months ago');
    await user.clear(field);
    await user.type(field, '2026-08-02T10:00');
    shown.getByText(/^08:00 UTC · in 8 weeks$/);
    await user.keyboard('{Enter}');
    await screen.findByText('anna now expires on 2 Aug 2026, 10:00.');
    expect(await now()).toBe('2026-08-02T08:00:00.000Z');
  });

  it('can save a date in the past, and the toast says since when it is expired', async () => {
    const { user } = await openPane();
    await user.click(button('Pick a date…'));
    const field = (await dialog('Set expiry for anna')).getByLabelText('New expiry');
    await user.clear(field);
    await user.type(field, '2020-01-01T12:00');
    await user.keyboard('{Enter}');
    await screen.findByText('anna has been expired since 1 Jan 2020, 12:00.');
  });

  it('changes nothing when it is cancelled', async () => {
    const { user, requested } = await openPane();
    await user.click(button('Pick a date…'));
    await user.keyboard('{Escape}');
    await disappears('dialog', 'Set expiry for anna');
    await hasFocus(() => button('Pick a date…'));
    expect(requested(change)).toEqual([]);
  });
});

describe('a failed extension', () => {
  it('leaves an expiry that someone else saved while the date was picked', async () => {
    const { user, shown, now, service, cache } = await openPane();
    await user.click(button('Pick a date…'));
    const body = { expiresAt: '2029-01-01T11:00:00.000Z' };
    await service.updateSubscriber({ params: { id: 1 }, body });
    await act(() => cache.invalidateQueries({ queryKey: ['getSubscriber'] }));
    await shown.findByText('Starts on 1 Jan 2029.');
    await user.click((await dialog('Set expiry for anna')).getByRole('button', { name: 'Set expiry' }));
    await toasts().findByText(/^anna: The expiry wasn’t changed: someone changed this subscriber/);
    expect(await now()).toBe(body.expiresAt);
  });

  it('overwrites nothing that someone else saved, and shows their version', async () => {
    const { user, shown, now, service } = await openPane();
    await service.updateSubscriber({ params: { id: 1 }, body: { note: 'Paid for another year.' } });
    await user.click(button(/^\+7 days/));
    await toasts().findByText(/^anna: The expiry wasn’t changed: someone changed this subscriber/);
    await shown.findByText('Paid for another year.');
    expect(await now()).toBe('2026-05-22T13:00:00.000Z');
  });
});
