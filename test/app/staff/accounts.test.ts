import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { cutNetwork, loseAnswers } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, hasFocus, openPage } from '../../support/app/page.tsx';
import { account, accountIs, add, choose, hire } from '../../support/app/staff.ts';

const openStaff = () => openPage('/staff', { role: 'manager' });
const oneTimePassword = /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/;

describe('adding an account', () => {
  test('shows its one-time password once, and how to pass it on', async () => {
    const { user } = await openStaff();
    await add(user, 'Jonas', 'Viewer');
    const shown = await dialog('One-time password for Jonas');
    const password = shown.getByText(oneTimePassword).textContent;
    expect(shown.getByText(/in person or by phone/)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Copy password' }));
    expect(await navigator.clipboard.readText()).toBe(password);
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await accountIs('Jonas', 'Viewer', 'One-time password', 'never');
    expect(screen.queryByText(password)).toBeNull();
    expect(await screen.findByText('Jonas is added.')).toBeTruthy();
    await hasFocus(() => button('Add staff'));
  });

  test('says on the field what is wrong with a name, here and at the desk', async () => {
    const { user } = await openStaff();
    await user.click(await appears('button', 'Add staff'));
    const form = await dialog('Add staff');
    await user.click(form.getByRole('button', { name: 'Add account' }));
    expect(await form.findByText('Enter a name.')).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Cancel' }));

    await hire(user, 'Jonas', 'Viewer');
    await add(user, 'jonas', 'Support');
    const again = await dialog('Add staff');
    expect(await again.findByText('This name is taken. Choose another.')).toBeTruthy();
    await hasFocus(() => again.getByRole('textbox', { name: 'Name' }));
  });

  test('that may have been done, says so', async () => {
    const { user } = await openStaff();
    loseAnswers(/^POST \/bff\/staff/);
    await add(user, 'Jonas', 'Viewer');
    const form = await dialog('Add staff');
    expect((await form.findByText(/^No answer came back/)).textContent).toContain(
      'whether the account is added',
    );
    await accountIs('Jonas', 'Viewer', 'One-time password', 'never');
  });
});

describe('an account', () => {
  test('gets another role', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'Change role…');
    const form = await dialog('Change the role of Jonas');
    expect(form.getByRole<HTMLInputElement>('radio', { name: 'Viewer' }).checked).toBe(true);
    await user.click(form.getByRole('radio', { name: 'Support' }));
    await user.click(form.getByRole('button', { name: 'Change role' }));
    expect(await screen.findByText('The role of Jonas is now Support.')).toBeTruthy();
    await accountIs('Jonas', 'Support', 'One-time password', 'never');
    await hasFocus(() => button('Manage Jonas'));
  });

  test('is disabled after a question, and enabled again', async () => {
    const { user, asked } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'Disable…');
    await user.click((await dialog('Disable Jonas?')).getByRole('button', { name: 'Cancel' }));
    expect(asked(/^PUT/)).toEqual([]);
    await choose(user, 'Jonas', 'Disable…');
    await user.click((await dialog('Disable Jonas?')).getByRole('button', { name: 'Disable account' }));
    await accountIs('Jonas', 'Viewer', 'Disabled', 'never');
    expect(screen.getByText('Jonas is disabled and signed out everywhere.')).toBeTruthy();
    await choose(user, 'Jonas', 'Enable');
    await accountIs('Jonas', 'Viewer', 'One-time password', 'never');
    expect(screen.getByText('Jonas is enabled and can sign in.')).toBeTruthy();
  });

  test('that could not be enabled says why', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'Disable…');
    await user.click((await dialog('Disable Jonas?')).getByRole('button', { name: 'Disable account' }));
    await accountIs('Jonas', 'Viewer', 'Disabled', 'never');
    cutNetwork(/^PUT/);
    await choose(user, 'Jonas', 'Enable');
    expect(
      await screen.findByText(/^No answer came back that says whether Jonas is enabled\. Look at the list/),
    ).toBeTruthy();
    expect(account('Jonas')).toEqual(['Viewer', 'Disabled', 'never']);
  });

  test('is signed out everywhere after a question', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'End sessions…');
    const question = await dialog('End the sessions of Jonas?');
    await user.click(question.getByRole('button', { name: 'End sessions' }));
    expect(await screen.findByText('Jonas was not signed in.')).toBeTruthy();
    await disappears('dialog', /Jonas/);
  });

  test('gets a new one-time password after a question', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'New one-time password…');
    const question = await dialog('Give Jonas a new password?');
    await user.click(question.getByRole('button', { name: 'Give a one-time password' }));
    const shown = await dialog('One-time password for Jonas');
    expect(shown.getByText(oneTimePassword)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await hasFocus(() => button('Manage Jonas'));
  });

  test('of the last manager stays one, and the reason stays in sight', async () => {
    const { user } = await openStaff();
    await hire(user, 'Ingrid', 'Manager');
    await choose(user, 'Ingrid', 'Disable…');
    const question = await dialog('Disable Ingrid?');
    await user.click(question.getByRole('button', { name: 'Disable account' }));
    const alert = await question.findByText(/^This is the last manager who can sign in with a password\./);
    expect(within(question.getByRole('alert')).getByText(alert.textContent)).toBe(alert);
    expect(account('Ingrid')).toEqual(['Manager', 'One-time password', 'never']);
  });
});

describe('the own account', () => {
  test('is marked, and its password is not given out here', async () => {
    const { user } = await openStaff();
    await hire(user, 'Kari', 'Manager');
    const name = await appears('rowheader', /^Kari/);
    expect(within(name).getByText('you')).toBeTruthy();
    await user.click(button('Manage Kari'));
    const reset = await appears('button', 'New one-time password…');
    expect(reset.getAttribute('aria-disabled')).toBe('true');
    await user.click(reset);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the screen', () => {
  test('is not for those who are no managers: no link, no accounts, and the reason', async () => {
    const { asked } = await openPage('/staff', { role: 'support' });
    expect(await screen.findByText('Only managers can see staff accounts. Ask a manager.')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Staff' })).toBeNull();
    for (const role of ['table', 'dialog']) expect(screen.queryByRole(role)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add staff' })).toBeNull();
    expect(asked(/\/bff\/staff/)).toEqual([]);
  });

  test('is reached by a link of the managers', async () => {
    const { user, address } = await openPage('/subscribers', { role: 'manager' });
    await user.click(await appears('link', 'Staff'));
    await appears('table', 'Staff');
    expect(address()).toBe('/staff');
    await waitFor(() => expect(document.title).toBe('Staff · Subscriber Desk'));
    await hasFocus(() => screen.getByRole('heading', { name: /^Staff/ }));
  });

  test('that could not be loaded says so, and can be tried again', async () => {
    const mend = cutNetwork(/^GET \/bff\/staff/);
    const { user } = await openStaff();
    await appears('heading', 'The accounts could not be loaded');
    mend();
    await user.click(button('Try again'));
    await appears('table', 'Staff');
    await disappears('heading', 'The accounts could not be loaded');
  });
});
