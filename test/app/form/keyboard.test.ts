import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { chips, fill, fillNew, input, openForm } from '../../support/app/form.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, hasFocus, openApp } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { anna } from '../../support/people.ts';

const create = /POST \/api\/subscribers$/;

test('n opens the form for a new subscriber with the focus on Username, and leaving it empty is no mistake yet', async () => {
  const { user } = await openApp('/subscribers', { people: [anna] });
  await appears('link', 'anna');
  await user.keyboard('n');
  await appears('heading', 'New subscriber');
  await hasFocus(() => input('Username'));
  await user.keyboard('bjarne');
  expect(input('Username').value).toBe('bjarne');
  await user.clear(input('Username'));
  await fill(user, 'Email', 'bjarne@');
  await screen.findByText(/^Enter a full address/);
  await user.click(input('Expires'));
  await user.tab();
  expect(screen.queryByText('Enter a username.')).toBeNull();
  expect(input('Expires').getAttribute('aria-invalid')).toBeNull();
  await user.click(button('Create subscriber'));
  await screen.findByText('Enter a username.');
});

test.each(['Control', 'Meta'])('%s and Enter save the form, with what was typed into a list', async (key) => {
  const page = await openForm();
  const { user } = page;
  await fillNew(user);
  await user.type(input('Bundles'), `7{${key}>}{Enter}{/${key}}`);
  await pane('bjarne');
  expect((await page.sent(create)).body).toMatchObject({ username: 'bjarne', bundles: [7] });
});

test('Control and Enter save once, and not what is refused', async () => {
  const { user, requested } = await openForm();
  await user.type(input('Note'), 'Two lines{Control>}{Enter}{/Control}');
  await screen.findByText('Enter a username.');
  await hasFocus(() => input('Username'));
  await fillNew(user);
  await user.type(input('Countries'), 'Atlantis{Control>}{Enter}{/Control}');
  await screen.findByText('“Atlantis” wasn’t added. Correct or remove it.');
  expect(requested(create)).toEqual([]);
  await user.clear(input('Countries'));
  const { release } = holdAnswers(create);
  await user.type(input('Countries'), 'no{Control>}{Enter}{/Control}');
  await appears('button', 'Saving…');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(chips('Countries')).toEqual(['Norway']);
  release();
  await pane('bjarne');
  await waitFor(() => expect(requested(create)).toHaveLength(1));
});
