import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { proofLife } from '../../../../src/bff/current-user.ts';
import { catchFiles } from '../../../support/app/files.ts';
import { openJobDesk } from '../../../support/app/jobs.ts';
import { appears, button, dialog, field, renderApp } from '../../../support/app/page.tsx';
import { kari, signIn } from '../../../support/app/sign-in.ts';
import { add, choose } from '../../../support/app/staff.ts';
import { prepare, runToEnd } from '../../../support/bff/jobs.ts';
import { setUpApp } from '../../../support/bff/second-factor.ts';
import { crowd } from '../../../support/people.ts';

type Desk = Awaited<ReturnType<typeof openJobDesk>>;
type Manager = Awaited<ReturnType<Desk['signIn']>>;
type User = ReturnType<typeof renderApp>['user'];

/** Something that a manager does who signed in a while ago. */
interface Action {
  /** Makes what is needed. @returns the address of its page */
  begin: (desk: Desk, manager: Manager) => Promise<string>;
  press: (user: User) => Promise<void>;
  /** The text on the page once it is done. */
  done: string | RegExp;
}

const confirm = async (user: User, title: string, action: string) =>
  user.click((await dialog(title)).getByRole('button', { name: action }));

const onStaff = (press: Action['press'], done: Action['done']): Action => ({
  begin: async () => '/staff',
  async press(user) {
    await appears('button', 'Manage Ola');
    await press(user);
  },
  done,
});

const targets = { ids: [1, 2] };

const typed = (kind: 'delete' | 'regenerate', name: string): Action => ({
  begin: async (_, manager) => `/jobs/${(await prepare(manager, { kind, targets })).id}`,
  async press(user) {
    await appears('button', name);
    await user.type(field('Type 2 to confirm'), '2');
    await user.click(button(name));
  },
  done: /^Done\. 2 /,
});

const ownFactor = (open: string, title: string, action: string, done: Action['done']): Action => ({
  begin: async (desk, manager) => {
    codes = await setUpApp(desk, manager);
    return '/account';
  },
  async press(user) {
    await user.click(await appears('button', open));
    await confirm(user, title, action);
  },
  done,
});
let codes: { code: () => string } | null = null;

const actions: Record<string, Action> = {
  'adding an account': onStaff((user) => add(user, 'Eva', 'Manager'), 'One-time password for Eva'),
  'raising a role': onStaff(async (user) => {
    await choose(user, 'Ola', 'Change role…');
    await user.click((await dialog('Change Ola’s role')).getByRole('radio', { name: 'Manager' }));
    await confirm(user, 'Change Ola’s role', 'Change role');
  }, 'Ola’s role is now Manager.'),
  'enabling an account': {
    async begin({ db }) {
      await db.updateTable('staff').set({ disabled: 1 }).where('name', '=', 'Ola').execute();
      return '/staff';
    },
    async press(user) {
      await appears('button', 'Manage Ola');
      await choose(user, 'Ola', 'Enable');
    },
    done: 'Ola is enabled and can sign in.',
  },
  'resetting a password': onStaff(async (user) => {
    await choose(user, 'Ola', 'Reset password…');
    await confirm(user, 'Reset Ola’s password?', 'Reset password');
  }, 'One-time password for Ola'),
  'removing an own factor': ownFactor(
    'Remove app…',
    'Remove your authenticator app?',
    'Remove app',
    /^Your authenticator app is removed\./,
  ),
  'making recovery codes': ownFactor(
    'New recovery codes…',
    'Make new recovery codes?',
    'Make new codes',
    'Your recovery codes',
  ),
  'exporting access tokens': {
    begin: async () => '/subscribers',
    async press(user) {
      catchFiles();
      await user.click(await appears('button', /^Export…/));
      const asking = await dialog('Export 3 subscribers');
      await user.click(asking.getByRole('checkbox', { name: 'Add access tokens' }));
      await user.type(asking.getByRole('textbox', { name: 'Reason' }), 'Moving');
      await user.click(asking.getByRole('button', { name: 'Export' }));
    },
    done: '3 subscribers exported.',
  },
  'deleting by a job': typed('delete', 'Delete 2 subscribers'),
  'regenerating by a job': typed('regenerate', 'Regenerate the tokens of 2 subscribers'),
  'undoing a job': {
    async begin(_, manager) {
      const { id } = await prepare(manager, { kind: 'delete', targets });
      await runToEnd(manager, id);
      const { data } = await manager.bff.undoJob({ params: { id } });
      return `/jobs/${data.id}`;
    },
    press: async (user) => user.click(await appears('button', 'Undo the changes of 2 subscribers')),
    done: 'Done. 2 undone.',
  },
};

describe('the dialog that asks a manager who signed in a while ago to sign in again', () => {
  it.each(Object.entries(actions))('goes on with %s', async (_, { begin, press, done }) => {
    codes = null;
    const desk = await openJobDesk({ staff: { Kari: 'manager', Ola: 'support' }, people: crowd(3) });
    const address = await begin(desk, await desk.signIn('Kari'));
    const { user } = renderApp(address);
    const enterCode = async (label: HTMLElement | undefined) =>
      label && user.type(label, `${codes?.code()}{Enter}`);
    await signIn(user, kari);
    if (codes) await enterCode(await screen.findByLabelText('Code'));
    await appears('navigation', 'Main');
    desk.time.now += proofLife;
    await press(user);
    const again = await dialog('Confirm that it’s you');
    await user.type(again.getByLabelText('Password'), `${kari.password}{Enter}`);
    if (codes) await enterCode(await again.findByLabelText('Code'));
    await screen.findAllByText(done);
  });

  it('lets the page read on meanwhile, so that nothing on it has failed when it is cancelled', async () => {
    const desk = await openJobDesk({ staff: { Kari: 'manager' }, people: crowd(3) });
    const { begin, press } = actions['exporting access tokens'] as Action;
    const { user } = renderApp(await begin(desk, await desk.signIn('Kari')));
    await signIn(user, kari);
    await appears('link', 'p001');
    desk.time.now += proofLife;
    await press(user);
    const again = await dialog('Confirm that it’s you');
    const reads = () => desk.requested(/^GET \/api\/subscribers/).length;
    const before = reads();
    // Back from the window of a password manager.
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
    await user.click(again.getByRole('button', { name: 'Cancel' }));
    await screen.findByText(/^Nothing was saved\./);
    expect(screen.queryByText(/^Couldn’t/)).toBeNull();
  });
});
