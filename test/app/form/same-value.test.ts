import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fill, fillNew, input, openForm, readWith } from '../../support/app/form.ts';
import { refuseWith } from '../../support/app/network.ts';
import { appears, button, disappears } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { crowd, person } from '../../support/people.ts';

const shared = 'family@example.com';
const people = [
  person('anna', { email: shared }),
  person('joanna', { email: `x${shared}` }),
  person('bjarne'),
];
const looks = /GET \/api\/subscribers\?.*(Username|Email)=/;

test('a username that is taken leads to its subscriber, in another tab', async () => {
  const { user } = await openForm('/subscribers/new', { people });
  await fill(user, 'Username', 'ANNA');
  const anna = await appears('link', /^Open anna/);
  expect(anna.getAttribute('href')).toBe('/subscribers/1');
  expect(anna.getAttribute('target')).toBe('_blank');
  expect(readWith('Username')).toEqual(['This username is taken: Open anna (in a new tab)']);
  await user.type(input('Username'), 's');
  await disappears('link', /^Open anna/);
});

test('a username that somebody took in the meantime leads to its subscriber when saving is refused', async () => {
  const { user, service } = await openForm('/subscribers/new', { people });
  await fillNew(user, 'cecilie');
  await service.createSubscriber({ body: person('cecilie') });
  await user.click(button('Create subscriber'));
  await screen.findByText('Username already taken. Choose another.');
  expect((await appears('link', /^Open cecilie/)).getAttribute('href')).toBe('/subscribers/4');
});

test('an email that others have is pointed out with their names, and can be saved', async () => {
  const { user } = await openForm('/subscribers/new', { people });
  await fill(user, 'Email', shared);
  const said = await screen.findByText(/^1 subscriber has this email:/);
  expect(within(said).getByRole('link').getAttribute('href')).toBe('/subscribers/1');
  expect(within(said).queryByText(/joanna/)).toBeNull();
  expect(input('Email').getAttribute('aria-invalid')).toBeNull();
});

test('an email that many have is pointed out with a few of their names', async () => {
  const { user } = await openForm('/subscribers/new', { people: crowd(5, { email: shared }) });
  await fill(user, 'Email', shared);
  await screen.findByText(/^5 subscribers have this email:/);
  expect(readWith('Email')).toEqual([
    '5 subscribers have this email: p001 (in a new tab), p002 (in a new tab), p003 (in a new tab) and 2 more',
  ]);
});

test('a field looks for nobody before its value is valid, or while it is as it was saved', async () => {
  const { user, requested } = await openForm('/subscribers/1/edit', { people });
  await user.click(input('Username'));
  await user.tab();
  await user.tab();
  await fill(user, 'Email', 'family@');
  await screen.findByText(/^Enter a full address/);
  expect(requested(looks)).toEqual([]);
  // The subscriber itself is not one of the others.
  await fill(user, 'Email', `x${shared}`);
  await appears('link', /^joanna/);
  await fill(user, 'Username', 'Anna');
  await fill(user, 'Username', 'bjarne');
  await appears('link', /^Open bjarne/);
  expect(screen.queryByRole('link', { name: /^Open anna/ })).toBeNull();
});

test('a form whose look at the others fails can be saved all the same', async () => {
  refuseWith(looks, 'upstream-unreachable');
  const { user, requested } = await openForm('/subscribers/new', { people });
  await fillNew(user, 'dag');
  expect(requested(looks).length).toBeGreaterThan(0);
  await user.click(button('Create subscriber'));
  await screen.findByText('dag was created.');
  await pane('dag');
});
