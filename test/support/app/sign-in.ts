import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { sessionPath } from '../../../src/contract/bff/paths.ts';
import { credentialsOf } from '../bff/browser.ts';
import { silentProvider } from '../bff/silent-provider.ts';
import type { TestDesk } from '../desk.ts';
import { send } from './activity.ts';
import { appears } from './page.tsx';

/** Accounts with which users have to sign in. */
export const staff = { Kari: 'support', Ola: 'support' } as const;
export const [kari, ola] = [credentialsOf('Kari'), credentialsOf('Ola')];

export const signInHeading = 'Sign in to Subscriber Desk';

/** Fills in the sign-in page, as soon as it is there, and sends it. */
export async function signIn(user: UserEvent, { name, password }: { name: string; password: string }) {
  await appears('heading', signInHeading);
  const nameField = screen.getByLabelText('Name');
  await user.clear(nameField);
  await user.paste(name);
  await user.clear(screen.getByLabelText('Password'));
  await user.paste(password);
  await user.click(await appears('button', 'Sign in'));
}

export async function signOut(user: UserEvent) {
  await user.click(await appears('button', /^Account: ?Kari/));
  await user.click(await appears('button', 'Sign out'));
}

/** Signs in in another tab of the same browser. */
export const signInElsewhere = (account: typeof kari) => send('POST', sessionPath, account, {}, '');

/** Ends everybody's session, as eight hours would. */
export const endSessions = ({ db }: Pick<TestDesk, 'db'>) => db.deleteFrom('sessions').execute();

type Changing = Pick<TestDesk, 'changeAccount'>;

/** As if a manager had given Kari another role. */
export const makeManager = ({ changeAccount }: Changing) => changeAccount(kari.name, { role: 'manager' });

/** As if Kari's account belonged to `silentProvider`, which has to be configured; an existing session stays valid. */
export const moveElsewhere = ({ changeAccount }: Changing) =>
  changeAccount(kari.name, { issuer: silentProvider.issuer, subject: '7', role: 'manager' });

/** As if a manager had set a one-time password; an existing session stays valid. */
export const makeOneTime = ({ changeAccount }: Changing) =>
  changeAccount(kari.name, { must_change_password: 1 });
