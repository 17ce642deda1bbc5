import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { suspend } from '../../support/app/desk.ts';
import { input, openForm, readWith } from '../../support/app/form.ts';
import { shows } from '../../support/app/list.ts';
import { appears, button, dialog, openApp } from '../../support/app/page.tsx';
import { details, pane } from '../../support/app/pane.ts';
import { bar, mark } from '../../support/app/selection.ts';
import { person } from '../../support/people.ts';

// Nobody can set a status here, so each place where people look for that says where it is done.
const usual = 'Status is set in the billing system.';
const people = [person('anna')];

test.each([
  [usual, {}],
  ['Ask the finance team.', { statusHelp: 'Ask the finance team.' }],
])('the pane and the form say “%s” beside the status', async (sentence, options) => {
  const page = await openApp('/subscribers', { people, ...options });
  await suspend(page, 'anna');
  page.goTo('/subscribers/1');
  const shown = await pane('anna');
  await shown.findByText(`Probably can’t watch: status Suspended. ${sentence}`);
  expect(details()).toMatchObject({ Status: `Suspended${sentence}` });
  page.goTo('/subscribers/1/edit');
  await screen.findByDisplayValue('Suspended');
  expect(input('Status').readOnly).toBe(true);
  expect(readWith('Status')).toEqual([sentence]);
});

test('a new subscriber has no status to look for', async () => {
  await openForm();
  expect(screen.queryByLabelText('Status')).toBeNull();
});

test('the dialog that edits many subscribers says where their status is set', async () => {
  const { user } = await openApp('/subscribers', { people });
  await shows('anna');
  await user.click(await appears('button', 'Select'));
  await user.click(await mark('anna'));
  await user.click(bar().getByRole('button', { name: 'Edit…' }));
  (await dialog('Edit 1 subscriber')).getByText(usual);
});

test('the import says where a status is set, for a column that has it', async () => {
  const { user } = await openApp('/jobs/import');
  const file = new File(['ID,Status\r\n1,Active'], 'people.csv', { type: 'text/csv' });
  await user.upload(await screen.findByLabelText('File'), file);
  await appears('rowheader', 'Status');
  screen.getByText(usual);
  expect(button('Preview')).toBeTruthy();
});
