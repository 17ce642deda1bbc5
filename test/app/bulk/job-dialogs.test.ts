import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { shows } from '../../support/app/list.ts';
import { refuseWith } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, openApp } from '../../support/app/page.tsx';
import { panel } from '../../support/app/jobs.ts';
import { bar, barSays, mark } from '../../support/app/selection.ts';
import { anna, person } from '../../support/people.ts';

const people = [anna, person('bjarne'), person('cecilie')];
const creations = /^POST \/bff\/jobs$/;

/** Opens a dialog for anna and cecilie. */
async function ask(name: string, title: string) {
  const page = await openApp('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  await page.user.click(await appears('button', 'Select'));
  for (const one of ['anna', 'cecilie']) await page.user.click(await mark(one));
  if (name === 'Delete…' || name === 'Regenerate tokens…')
    await page.user.click(bar().getByRole('button', { name: 'More…' }));
  await page.user.click(bar().getByRole('button', { name }));
  const shown = await dialog(title);
  return {
    ...page,
    shown,
    /** The request that prepared the job. */
    preview: async () => {
      await page.user.click(shown.getByRole('button', { name: 'Preview' }));
      await appears('region', 'Preview');
      return (await page.sent(creations)).body;
    },
  };
}

describe('an extension of the selected', () => {
  it('is by a month from the later date unless something else is chosen, by the calendar of the browser', async () => {
    const { preview, address, service } = await ask('Extend…', 'Extend 2 subscribers');
    const before = (await service.listSubscribers({ query: {} })).data.items;
    expect(await preview()).toEqual({
      kind: 'extend',
      targets: { ids: [1, 3] },
      change: {
        by: { months: 1 },
        from: 'later',
        endTrial: false,
        zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    });
    expect(address()).toMatch(/^\/jobs\/[\w-]+$/);
    expect((await service.listSubscribers({ query: {} })).data.items).toEqual(before);
  });

  it('takes another period, the old expiry, the end of the trial and a reason', async () => {
    const { user, shown, preview } = await ask('Extend…', 'Extend 2 subscribers');
    await user.click(shown.getByRole('radio', { name: '+1 year' }));
    await user.click(shown.getByRole('radio', { name: 'The old expiry' }));
    await user.click(shown.getByRole('checkbox', { name: 'Also end the trial' }));
    await user.type(shown.getByRole('textbox', { name: 'Reason (optional)' }), ' Goodwill ');
    expect(await preview()).toMatchObject({
      change: { by: { years: 1 }, from: 'expiry', endTrial: true },
      reason: 'Goodwill',
    });
  });

  it('takes a date, which has to be one', async () => {
    const { user, shown, preview } = await ask('Extend…', 'Extend 2 subscribers');
    await user.click(shown.getByRole('radio', { name: 'To a date' }));
    expect(shown.queryByRole('radio', { name: 'The old expiry' })).toBeNull();
    const field = shown.getByLabelText('New expiry');
    await user.clear(field);
    await user.click(shown.getByRole('button', { name: 'Preview' }));
    shown.getByText('Enter a date and time.');
    await user.type(field, '2027-03-01T12:00');
    expect(await preview()).toMatchObject({
      change: { by: { to: new Date('2027-03-01T12:00').toISOString() } },
    });
  });
});

describe('an edit of the selected', () => {
  it('changes only what is chosen', async () => {
    const { user, shown, preview } = await ask('Edit…', 'Edit 2 subscribers');
    expect(shown.getByRole('button', { name: 'Preview' })).toHaveProperty(
      'title',
      'Choose what to change first.',
    );
    await user.type(shown.getByRole('textbox', { name: 'Connection limit' }), '4');
    await user.selectOptions(shown.getByRole('combobox', { name: 'Trial' }), 'Off');
    await user.selectOptions(shown.getByRole('combobox', { name: 'Bundles: what to do' }), 'Add');
    await user.type(shown.getByRole('textbox', { name: 'Bundles to add' }), '5, 6{Enter}');
    await user.selectOptions(shown.getByRole('combobox', { name: 'Countries: what to do' }), 'Remove');
    await user.type(shown.getByRole('combobox', { name: 'Countries to remove' }), 'Norway{Enter}');
    await user.type(shown.getByRole('textbox', { name: 'Add to the note' }), 'Called.');
    expect(await preview()).toEqual({
      kind: 'update',
      targets: { ids: [1, 3] },
      change: {
        set: { maxConnections: 4, isTrial: false },
        add: { bundles: [5, 6] },
        remove: { countries: ['NO'] },
        appendNote: 'Called.',
      },
    });
  });

  it('is given up by Escape only after a question, if something is entered', async () => {
    const { user, shown, preview } = await ask('Edit…', 'Edit 2 subscribers');
    await user.type(shown.getByRole('textbox', { name: 'Add to the note' }), 'Moved.');
    await user.keyboard('{Escape}');
    await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
    expect(await preview()).toMatchObject({ change: { appendNote: 'Moved.' } });
  });

  it('says what cannot be used', async () => {
    const { user, shown, requested } = await ask('Edit…', 'Edit 2 subscribers');
    await user.type(shown.getByRole('textbox', { name: 'Connection limit' }), 'many');
    await user.selectOptions(shown.getByRole('combobox', { name: 'IP addresses: what to do' }), 'Add');
    await user.type(shown.getByRole('textbox', { name: 'IP addresses to add' }), 'nowhere');
    await user.click(shown.getByRole('button', { name: 'Preview' }));
    expect(shown.getByRole('textbox', { name: 'Connection limit' })).toHaveProperty('ariaInvalid', 'true');
    shown.getByText('“nowhere” wasn’t added. Correct or remove it.');
    expect(requested(creations)).toEqual([]);
  });

  it('says of an entry that cannot be used nothing about other fields, and nothing more once it is corrected', async () => {
    const { user, shown, preview } = await ask('Edit…', 'Edit 2 subscribers');
    await user.selectOptions(shown.getByRole('combobox', { name: 'IP addresses: what to do' }), 'Add');
    const box = shown.getByRole('textbox', { name: 'IP addresses to add' });
    await user.type(box, 'nowhere');
    await user.click(shown.getByRole('button', { name: 'Preview' }));
    await shown.findByText('“nowhere” wasn’t added. Correct or remove it.');
    expect(shown.getByRole('textbox', { name: 'Add to the note' })).toHaveProperty('ariaInvalid', null);
    await user.clear(box);
    await user.type(box, '192.0.2.7{Enter}');
    await waitFor(() => expect(shown.queryByText(/wasn’t added/)).toBeNull());
    expect(await preview()).toMatchObject({ change: { add: { ipAddresses: ['192.0.2.7'] } } });
  });
});

test.each([
  ['Delete…', 'Delete 2 subscribers', 'delete'],
  ['Regenerate tokens…', 'Regenerate the tokens of 2 subscribers', 'regenerate'],
])('%s says what will happen, and prepares a job', async (name, title, kind) => {
  const { shown, preview } = await ask(name, title);
  shown.getByText(/undo it/);
  expect(await preview()).toEqual({ kind, targets: { ids: [1, 3] } });
});

test('the selection stays if a job cannot be prepared', async () => {
  const { user, shown } = await ask('Extend…', 'Extend 2 subscribers');
  refuseWith(creations, 'busy');
  await user.click(shown.getByRole('button', { name: 'Preview' }));
  await shown.findByText('Too busy right now');
  await user.click(shown.getByRole('button', { name: 'Cancel' }));
  await barSays('2 selected.');
});

test('the selection stays after a preview that was discarded, and ends when its job is started', async () => {
  const { user, preview, goBack } = await ask('Extend…', 'Extend 2 subscribers');
  await preview();
  await user.click(button('Discard'));
  await appears('region', 'Report');
  goBack();
  await shows('anna', 'bjarne', 'cecilie');
  await barSays('2 selected.');
  await user.click(bar().getByRole('button', { name: 'Extend…' }));
  await user.click((await dialog('Extend 2 subscribers')).getByRole('button', { name: 'Preview' }));
  await user.click(await appears('button', 'Extend 2 subscribers'));
  await appears('region', 'Report');
  goBack();
  await shows('anna', 'bjarne', 'cecilie');
  await disappears('region', 'Selection');
});

test('all that match are named by the filters of the list, and the preview says how many more it finds', async () => {
  const page = await openApp('/subscribers?trial=true&sort=username&page=1', {
    people,
  });
  await shows('anna');
  await page.user.click(await appears('button', 'Select'));
  await mark('anna');
  await page.user.click(bar().getByRole('button', { name: 'Select all 1 that match' }));
  await page.user.keyboard('{Control>}k{/Control}');
  await page.user.keyboard('extend');
  await page.user.click(await appears('option', /^Extend: 1 selected…/));
  const shown = await dialog('Extend 1 subscriber');
  await page.service.updateSubscriber({ params: { id: 2 }, body: { isTrial: true } });
  await page.user.click(shown.getByRole('button', { name: 'Preview' }));
  const preview = await panel('Preview');
  expect((await page.sent(creations)).body).toMatchObject({ targets: { query: { IsTrial: 'true' } } });
  preview.getByText('2 match now (1 when you pressed Preview)');
  expect(within(screen.getByRole('main')).getByText(/All that match: trial/)).toBeTruthy();
  expect(button('Discard')).toBeTruthy();
});

test('all that match are selected without a number where the service cannot filter by trial', async () => {
  const page = await openApp('/subscribers?trial=true', { people, upstream: { extensions: [] } });
  await shows('anna');
  await page.user.click(await appears('button', 'Select'));
  await mark('anna');
  await page.user.click(bar().getByRole('button', { name: 'Select all that match' }));
  await barSays('All that match are selected.');
  await page.user.click(bar().getByRole('button', { name: 'Extend…' }));
  await page.user.click((await dialog('Extend subscribers')).getByRole('button', { name: 'Preview' }));
  await appears('button', 'Extend 1 subscriber');
  expect((await page.sent(creations)).body).toMatchObject({ targets: { query: { IsTrial: 'true' } } });
});
