import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { toggleFilter } from '../../support/app/list.ts';
import { appears, field } from '../../support/app/page.tsx';
import { giveUp, openAt, type Page } from '../../support/app/session-over.ts';
import { endSessions, kari, ola, signIn, signInHeading } from '../../support/app/sign-in.ts';

const drafts = /^PUT \/bff\/drafts/;
const line = 'Only Kari knows this.';

/** Kari writes after her session has ended, and does not sign in again over the page. */
async function writeTooLate(page: Page) {
  const { user, requested } = page;
  await user.click(await appears('button', 'Add note'));
  await endSessions(page);
  await user.type(field('New note'), line);
  await waitFor(() => expect(requested(drafts)).not.toEqual([]));
  await toggleFilter(user, 'Trial');
  await giveUp(page);
  await appears('heading', signInHeading);
}

describe('what somebody was writing when their session ended', () => {
  it('is not saved for the next user of the sign-in page', async () => {
    const page = await openAt('/subscribers/1');
    const { user, requested } = page;
    await writeTooLate(page);
    await signIn(user, ola);
    await user.click(await appears('button', /^Account: ?Ola/));
    const before = requested(drafts).length;
    await user.click(await appears('button', 'Sign out'));
    await appears('heading', signInHeading);
    await waitFor(() => expect(requested(/^DELETE \/bff\/session/)).toHaveLength(1));
    expect(requested(drafts).slice(before)).toEqual([]);
  });

  it('is there again if they sign in on the sign-in page', async () => {
    const page = await openAt('/subscribers/1');
    await writeTooLate(page);
    await signIn(page.user, kari);
    const box = await appears('textbox', 'New note');
    await waitFor(() => expect(box.getAttribute('value')).toBe(line));
  });
});
