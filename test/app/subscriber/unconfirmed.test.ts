import { screen } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { toasts } from '../../support/app/activity.ts';
import { fill, fillNew } from '../../support/app/form.ts';
import { cutNetwork, loseAnswers } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, openApp, type Page } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { anna } from '../../support/people.ts';

/** A change as a user makes it, and what the page says once it is done. */
interface Case {
  request: RegExp;
  /** Where it is made; the first subscriber is anna. */
  address: string;
  begin: (page: Page) => Promise<void>;
  done: string;
  said: string | RegExp;
}

const inPane = async () => void (await (await pane('anna')).findByText('Norway'));

const cases = {
  create: {
    request: /POST \/api\/subscribers$/,
    address: '/subscribers/new',
    async begin({ user }: Page) {
      await screen.findByLabelText('Username');
      await fillNew(user);
      await user.click(button('Create subscriber'));
    },
    done: 'the subscriber was created',
    said: 'bjarne was created.',
  },
  edit: {
    request: /PUT \/api/,
    address: '/subscribers/1/edit',
    async begin({ user }: Page) {
      await screen.findByLabelText('Note');
      await fill(user, 'Note', 'Typed with care.');
      await user.click(button('Save changes'));
    },
    done: 'the changes were saved',
    said: 'Changes to anna were saved.',
  },
  extend: {
    request: /PUT \/api/,
    address: '/subscribers/1',
    async begin({ user }: Page) {
      await inPane();
      await user.click(button(/^\+7 days/));
    },
    done: 'the expiry was changed',
    said: 'anna now expires on 7 Jan 2027, 23:00.',
  },
  regenerate: {
    request: /POST .*\/regenerate-token/,
    address: '/subscribers/1',
    async begin({ user }: Page) {
      await inPane();
      await user.click(button('Regenerate token…'));
      await user.click((await dialog(/^Regenerate/)).getByRole('button', { name: 'Regenerate token' }));
    },
    done: 'the token was replaced',
    said: 'anna has a new token. The old one no longer works.',
  },
  delete: {
    request: /DELETE \/api/,
    address: '/subscribers/1',
    async begin({ user }: Page) {
      await inPane();
      await user.click(button('Delete…'));
      const asking = await dialog(/^Delete/);
      await fill(user, 'Reason (optional)', 'Asked for by phone.');
      await user.click(asking.getByRole('button', { name: 'Delete subscriber' }));
    },
    done: 'the subscriber was deleted',
    said: 'anna was deleted.',
  },
} as const satisfies Record<string, Case>;

/** The changes in the journal, newest first. A token that is sent once more is an entry of its own kind. */
async function journal(): Promise<{ operation: string; outcome: string }[]> {
  const answer = await fetch(`${location.origin}/bff/activity?kind=change`, { headers: { 'X-CSRF': '1' } });
  return ((await answer.json()) as { items: { operation: string; outcome: string }[] }).items;
}

/** Everything that the page holds of what was typed. */
const typed = () => screen.queryAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);

const everybody = async ({ service }: Page) =>
  (await service.listSubscribers({ query: { SortBy: 'username' } })).data.items;

describe.each(Object.entries<Case>(cases))('%s', (_, { request, address, begin, done, said }) => {
  it('is shown as unconfirmed while its answer is lost, and is done once', async () => {
    const page = await openApp(address, { people: [anna] });
    const mend = loseAnswers(request);
    await begin(page);
    const before = typed();
    await screen.findByText((text) =>
      text.endsWith(`We don’t know yet whether ${done}. We’ll keep checking, and it won’t happen twice.`),
    );
    expect(screen.queryByText(said)).toBeNull();
    expect(typed()).toEqual(before);
    const after = await everybody(page);
    // Found before, because the page asks by itself as well.
    const checkNow = await appears('button', 'Check now');
    mend();
    await page.user.click(checkNow);
    await screen.findByText(said);
    expect(await everybody(page)).toEqual(after);
    const keys = page.keys(request);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(await journal()).toMatchObject([{ outcome: 'done' }]);
  });

  it('is done as soon as the connection is back, if it never reached the server', async () => {
    const page = await openApp(address, { people: [anna] });
    const before = await everybody(page);
    const mend = cutNetwork(request);
    await begin(page);
    await screen.findByText(/We don’t know yet whether/);
    expect(await everybody(page)).toEqual(before);
    mend();
    window.dispatchEvent(new Event('online'));
    await screen.findByText(said);
    expect(await everybody(page)).not.toEqual(before);
    expect(await journal()).toHaveLength(1);
  });
});

test('an unconfirmed change is sent again after a second', async () => {
  const { request, address, said } = cases.extend;
  const page = await openApp(address, { people: [anna] });
  const mend = loseAnswers(request);
  await cases.extend.begin(page);
  await screen.findByText(/We don’t know yet/);
  mend();
  await screen.findByText(said);
  expect(await journal()).toHaveLength(1);
});

test('the dialog of an unconfirmed change can be closed, and a toast says the outcome', async () => {
  const { request, address, said } = cases.regenerate;
  const page = await openApp(address, { people: [anna] });
  const mend = loseAnswers(request);
  await cases.regenerate.begin(page);
  const shown = await dialog(/^Regenerate/);
  await shown.findByText(/^We don’t know yet/);
  await page.user.click(shown.getByRole('button', { name: 'Close' }));
  await disappears('dialog', /^Regenerate/);
  mend();
  window.dispatchEvent(new Event('online'));
  await toasts().findByText(said);
  expect(await journal()).toHaveLength(1);
});

test('the same change, made again after it is done, is a new change', async () => {
  const { user, keys, address } = await openApp('/subscribers/1', { people: [anna] });
  await inPane();
  for (const expiry of ['7 Jan 2027', '14 Jan 2027']) {
    await user.click(button(/^\+7 days/));
    await screen.findByText(new RegExp(`^anna now expires on ${expiry}`));
  }
  expect(new Set(keys(/PUT \/api/)).size).toBe(2);
  expect(address()).toBe('/subscribers/1');
});
