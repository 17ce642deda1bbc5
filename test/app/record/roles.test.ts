import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { paneActivity } from '../../support/app/activity.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { shows } from '../../support/app/list.ts';
import { appears, link, openApp } from '../../support/app/page.tsx';
import { pane, shownToken } from '../../support/app/pane.ts';
import { anna } from '../../support/people.ts';
import { kari, signIn, staff } from '../../support/app/sign-in.ts';

const at = (role: 'viewer' | 'support' | 'manager', address = '/subscribers/1') =>
  openApp(address, { role, people: [anna] });
/** A button that is off, and the sentence that says why. */
const off = (name: string) => {
  const { ariaDisabled, title } = screen.getByRole('button', { name });
  return ariaDisabled === 'true' ? title : 'on';
};

test('a viewer sees the subscriber, one line that says so, and nothing that is off', async () => {
  const { as, goTo } = await at('viewer', '/subscribers');
  await as('manager').api.updateSubscriber({ params: { id: 1 }, body: { maxConnections: 7 } });
  goTo('/subscribers/1');
  const shown = await pane('anna');
  await shown.findByText('Norway');
  await (await paneActivity()).findByText('Connection limit', { exact: false });
  expect(screen.queryByRole('link', { name: 'New subscriber' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Select' })).toBeNull();
  expect(shown.getByText('You can only view subscribers.')).toBeTruthy();
  expect(shown.queryByRole('link', { name: 'Edit' })).toBeNull();
  const isOff = (control: HTMLElement) => control.ariaDisabled === 'true';
  expect(shown.getAllByRole('button').filter(isOff)).toEqual([]);
  for (const name of ['Add note', /^\+1 month/, 'Regenerate token…', 'Delete…'])
    expect(shown.queryByRole('button', { name })).toBeNull();
  const wholeTokens = 'Viewers can’t see access tokens.';
  expect(shown.getByText(wholeTokens)).toBeTruthy();
  expect(shownToken()).toMatch(/^•{12}.{4}$/);
  for (const name of ['Show token', 'Copy token']) expect(screen.queryByRole('button', { name })).toBeNull();
});

test('support staff can create, change and regenerate, but not delete', async () => {
  await at('support');
  await pane('anna');
  await appears('link', 'New subscriber');
  expect(link('Edit')).toBeTruthy();
  expect(off('Regenerate token…')).toBe('on');
  expect(off('Delete…')).toBe('Only managers can delete subscribers.');
});

test('somebody who has another role by now is refused once, and then sees the page of that role', async () => {
  const { user, changeAccount } = await openApp('/subscribers/1', { staff, people: [anna] });
  await signIn(user, kari);
  const shown = await pane('anna');
  const extend = await appears('button', /^\+1 month/);
  await changeAccount(kari.name, { role: 'viewer' });
  await user.click(extend);
  await shown.findByText('You can only view subscribers.');
  expect(screen.queryByRole('button', { name: /^\+1 month/ })).toBeNull();
});

test.each([
  ['/subscribers/new', 'Viewers can’t create subscribers.'],
  ['/subscribers/1/edit', 'Viewers can’t change subscribers.'],
])(
  'a viewer who opens %s by its address sees why it is not allowed, and no form',
  async (address, sentence) => {
    await at('viewer', address);
    expect((await screen.findByText(sentence)).closest('[role=alert]')).not.toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  },
);

test.each([
  ['viewer', '/jobs', 'Only managers can change many subscribers at once.'],
  ['support', '/jobs/import', 'Only managers can change many subscribers at once.'],
  ['support', '/jobs/nosuchjob', 'Only managers can change many subscribers at once.'],
  ['support', '/staff', 'Only managers can see staff accounts.'],
] as const)(
  'a %s at %s is told why it is closed, has no link to it, and asks for nothing of it',
  async (role, address, sentence) => {
    const { requested } = await at(role, address);
    expect((await screen.findByText(sentence)).closest('[role=alert]')).not.toBeNull();
    for (const part of ['table', 'dialog']) expect(screen.queryByRole(part)).toBeNull();
    for (const name of ['Jobs', 'Staff']) expect(screen.queryByRole('link', { name })).toBeNull();
    expect(screen.queryByLabelText('File')).toBeNull();
    expect(requested(/\/bff\/(jobs|staff|imports)/)).toEqual([]);
  },
);

test('a viewer is offered no new subscriber while the session is loading', async () => {
  const session = holdAnswers(/^GET \/bff\/session/);
  await at('viewer', '/subscribers');
  await shows('anna');
  expect(screen.queryByRole('link', { name: 'New subscriber' })).toBeNull();
  session.release();
  await appears('button', /^Account: ?Kari/);
});
