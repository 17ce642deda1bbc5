import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { addFactor } from '../../../../src/bff/auth/second-factor.ts';
import { input } from '../../../support/app/form.ts';
import { appears, button } from '../../../support/app/page.tsx';
import { answerWith, openAt, openForm, typeNote, type Page } from '../../../support/app/session-over.ts';
import { endSessions, kari, makeManager } from '../../../support/app/sign-in.ts';
import { enterCode, keepCodes, scan } from '../../../support/app/second-factor.ts';

const requireSecondFactor = 'managers';

/** Saves in a session that has ended, signs in again, and sets up the second factor that is needed then. */
async function saveAndSetUp(page: Page) {
  const { user, time } = page;
  await user.click(button('Save changes'));
  await answerWith(page, kari.password);
  await appears('heading', 'Set up your second factor');
  const { shown, key } = await scan(user);
  await enterCode(user, shown, key, time.now);
  await keepCodes(user);
}

async function restores(text: string) {
  await screen.findByText(/^Unsaved changes restored/);
  expect(input('Note').value).toBe(text);
}

describe('what was typed after the session had ended', () => {
  it('is there again once the second factor is set up that somebody needs who became manager', async () => {
    const page = await openForm({ requireSecondFactor });
    await endSessions(page);
    await typeNote(page, 'Typed after the end.');
    await makeManager(page);
    await saveAndSetUp(page);
    await restores('Typed after the end.');
  });

  it('is there again once a second factor is set up anew that a manager has reset', async () => {
    const staff = { Kari: 'manager' } as const;
    const page = await openAt('/subscribers/1/edit', { staff, requireSecondFactor });
    const { db, deps, cache } = page;
    await appears('heading', 'Set up your second factor');
    const { id: staffId } = await db.selectFrom('staff').select('id').executeTakeFirstOrThrow();
    const factor = { staffId, kind: 'totp', secret: 'made up', counter: 0 } as const;
    await db.transaction().execute((tx) => addFactor(tx, factor, deps));
    await cache.invalidateQueries();
    await screen.findByLabelText('Note');
    await db.deleteFrom('second_factors').execute();
    cache.removeQueries({ queryKey: ['getSecondFactor'] });
    await endSessions(page);
    await typeNote(page, 'Typed after the end.');
    await saveAndSetUp(page);
    await restores('Typed after the end.');
  });
});
