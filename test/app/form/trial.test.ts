import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { input, pickExpiry } from '../../support/app/form.ts';
import { appears, openApp } from '../../support/app/page.tsx';
import type { DeskOptions } from '../../support/app/desk.ts';
import { person } from '../../support/people.ts';

const reported = 'Expires is set to 8 Jun 2026: a trial lasts 7 days.';

/** The form at an address; it is 1 June 2026. */
async function openForm(address = '/subscribers/new', options: DeskOptions = {}) {
  const { user } = await openApp(address, options);
  const trial = await appears('checkbox', 'Trial');
  // The session says how long a trial lasts.
  await appears('button', /^Account/);
  return { tick: () => user.click(trial) };
}

describe('the box “Trial”', () => {
  it('proposes the end of the last day of a trial, says so, and takes it back when it is unticked', async () => {
    const { tick } = await openForm();
    await tick();
    expect(input('Expires').value).toBe('2026-06-08T23:59');
    await screen.findByText(reported);
    await tick();
    expect(input('Expires').value).toBe('');
    expect(screen.queryByText(reported)).toBeNull();
    expect(input('Expires').getAttribute('aria-invalid')).toBeNull();
  });

  it('proposes as many days as the operator says', async () => {
    const { tick } = await openForm('/subscribers/new', { trialDays: 30 });
    await tick();
    expect(input('Expires').value).toBe('2026-07-01T23:59');
    await screen.findByText('Expires is set to 1 Jul 2026: a trial lasts 30 days.');
  });

  it('leaves an expiry that somebody entered, before or after', async () => {
    const { tick } = await openForm();
    pickExpiry('2026-12-31T23:00');
    await tick();
    expect(input('Expires').value).toBe('2026-12-31T23:00');
    await tick();
    pickExpiry('');
    await tick();
    expect(input('Expires').value).toBe('2026-06-08T23:59');
    pickExpiry('2026-06-09T12:00');
    expect(screen.queryByText(reported)).toBeNull();
    await tick();
    expect(input('Expires').value).toBe('2026-06-09T12:00');
  });

  it('gives a subscriber who has expired another trial', async () => {
    const people = [person('anna', { expiresAt: '2026-05-01T10:00:00.000Z' })];
    const { tick } = await openForm('/subscribers/1/edit', { people });
    await tick();
    expect(input('Expires').value).toBe('2026-06-08T23:59');
    await tick();
    expect(input('Expires').value).toBe('2026-05-01T12:00');
  });

  it('takes no days from a subscriber who paid for them', async () => {
    const people = [person('bjarne', { expiresAt: '2026-12-31T10:00:00.000Z' })];
    const { tick } = await openForm('/subscribers/1/edit', { people });
    await tick();
    expect(input('Expires').value).toBe('2026-12-31T11:00');
  });
});
