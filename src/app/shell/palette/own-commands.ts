import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useViews } from '../../api/queries.ts';
import { usePermission, useSession } from '../../api/session.ts';
import { readAddress, toAddress, toReturn, type ListAddress } from '../../subscriber/list-address.ts';
import { builtIn, findExpiringNext } from '../../list/view-links.tsx';
import type { Command } from '../../components/app-context.ts';
import { usePreference } from '../../components/preference.ts';
import { characterKeys } from '../../components/shortcuts.tsx';
import { chooseTheme, themeNames, theme, themes } from '../theme.ts';
import { useSignOut } from '../use-sign-out.ts';

/** The commands that the user's role allows on every page. */
export function useOwnCommands(onHelp: () => void): readonly Command[] {
  return [
    ...useNavigationCommands(),
    ...useViewCommands(),
    ...useAppearanceCommands(onHelp),
    ...useAccountCommands(),
  ];
}

function useNavigationCommands(): Command[] {
  const navigate = useNavigate();
  const canCreate = usePermission('createSubscriber').allowed;
  const canRunJobs = usePermission('runJobs').allowed;
  const canSeeStaff = usePermission('listStaff').allowed;
  const about = 'Go to';
  const pages = [
    { name: 'Overview', to: '/overview' },
    { name: 'Subscribers', to: '/subscribers' },
    { name: 'Activity', to: '/activity' },
    { name: 'Bundles', to: '/bundles' },
    { name: 'Messages', to: '/messages' },
    canRunJobs && { name: 'Jobs', to: '/jobs' },
    canRunJobs && { name: 'Import subscribers', to: '/jobs/import' },
    canSeeStaff && { name: 'Staff', to: '/staff' },
  ] as const;
  const create = () => void navigate({ to: '/subscribers/new', search: true, state: toReturn });
  return [
    ...(canCreate ? [{ name: 'New subscriber', about, run: create }] : []),
    ...pages
      .filter((page) => page !== false)
      .map(({ name, to }) => ({ name, about, run: () => void navigate({ to }) })),
  ];
}

/** The views above the list. */
function useViewCommands(): Command[] {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const saved = useViews() ?? [];
  const about = 'Views';
  const show = (address: ListAddress) =>
    void navigate({ to: '/subscribers', search: readAddress(address), resetScroll: false });

  return [
    ...builtIn.map(({ name, filter }) => ({ name: `View: ${name}`, about, run: () => show(filter) })),
    { name: 'View: Expiring next', about, run: () => void findExpiringNext(cache, undefined).then(show) },
    ...saved.map(({ name, query }) => ({ name: `View: ${name}`, about, run: () => show(toAddress(query)) })),
  ];
}

function useAppearanceCommands(onHelp: () => void): Command[] {
  const chosen = usePreference(theme);
  const keysAreOn = usePreference(characterKeys);
  const about = 'Theme and shortcuts';
  return [
    ...themes
      .filter((name) => name !== chosen)
      .map((name) => ({ name: themeNames[name], about, run: () => chooseTheme(name) })),
    { name: 'Keyboard shortcuts', about, run: onHelp },
    {
      name: `Turn ${keysAreOn ? 'off' : 'on'} single-key shortcuts`,
      about,
      run: () => characterKeys.set(!keysAreOn),
    },
  ];
}

function useAccountCommands(): Command[] {
  const session = useSession();
  const navigate = useNavigate();
  const { leave } = useSignOut();
  const about = 'Account';
  const own = { name: 'My account', about, run: () => void navigate({ to: '/account' }) };
  if (!session?.canSignOut) return [own];
  const change = { name: 'Change password', about, run: () => void navigate({ to: '/password' }) };
  return [own, ...(session.canChangePassword ? [change] : []), { name: 'Sign out', about, run: leave }];
}
