import type { QueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useId, useSyncExternalStore } from 'react';
import type { Clock } from './clock.ts';
import type { Command, Commands } from './commands.ts';
import type { Toasts } from './toasts.ts';

/** What all parts of one dashboard share; `createDashboard` makes it. */
export interface App {
  readonly queryClient: QueryClient;
  readonly toasts: Toasts;
  readonly commands: Commands;
  readonly clock: Clock;
}

export const AppContext = createContext<App | null>(null);

/** @throws where there is no dashboard around the component */
export function useApp(): App {
  const app = use(AppContext);
  if (!app) throw new Error('This component needs a dashboard around it.');
  return app;
}

/** The present in ms since the epoch, which moves on every half minute. */
export function useNow(): number {
  const { clock } = useApp();
  return useSyncExternalStore(clock.subscribe, clock.now);
}

/** Offers commands in the palette while this component is on the page. `false` leaves out what may not be done now. */
export function useCommands(commands: readonly (Command | false)[]): void {
  const { commands: palette } = useApp();
  const id = useId();
  // After each rendering: what a command does changes with it.
  useEffect(() =>
    palette.offer(
      id,
      commands.filter((command) => command !== false),
    ),
  );
  useEffect(() => () => palette.withdraw(id), [palette, id]);
}
