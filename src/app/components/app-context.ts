import type { QueryClient } from '@tanstack/react-query';
import {
  createContext,
  createElement,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import { createStore } from '../../lib/store.ts';
import type { Clock } from './clock.ts';
import type { Toasts } from './toasts.ts';

/** The things that all parts of one dashboard share; made by `createDashboard`. */
export interface App {
  readonly queryClient: QueryClient;
  readonly toasts: Toasts;
  readonly commands: ReturnType<typeof createCommands>;
  readonly clock: Clock;
  /** The heading of the page that is shown. */
  readonly headingRef: RefObject<HTMLHeadingElement | null>;
  /** The box that searches, on a page that has one. */
  readonly searchRef: RefObject<HTMLInputElement | null>;
  /** The name of the dashboard; the demo can show another. */
  readonly productName: string;
  /** In ms: how long a button that changes something takes no other press after its result. */
  readonly pressPause: number;
}

export const AppContext = createContext<App | null>(null);

/** @throws outside a dashboard */
export function useApp(): App {
  const app = use(AppContext);
  if (!app) throw new Error('This component needs a dashboard around it.');
  return app;
}

/** The name of the window, with that of the product. */
export const WindowTitle = ({ children }: { children: string }) =>
  createElement('title', null, `${children} · ${useApp().productName}`);

/** The current time in ms since the epoch; the component renders again every half minute. */
export function useNow(): number {
  const { clock } = useApp();
  return useSyncExternalStore(clock.subscribe, clock.now);
}

/** An action that the palette finds by its name. */
export interface Command {
  name: string;
  /** The heading it is listed under. */
  about: string;
  run: () => void;
}

/** The commands that the parts of the page offer now. */
export function createCommands() {
  const { get, set, subscribe } = createStore<readonly (readonly Command[])[]>([]);
  return {
    /** Those of each part. */
    get,
    subscribe,
    /** @returns a function that withdraws them */
    offer(commands: readonly Command[]): () => void {
      set([...get(), commands]);
      return () => set(get().filter((others) => others !== commands));
    },
  };
}

/** Offers commands in the palette while this component is mounted. `false` entries are skipped. */
export function useCommands(commands: readonly (Command | false)[]): void {
  const { commands: palette } = useApp();
  const offered = commands.filter((command) => command !== false);
  const names = JSON.stringify(offered.map(({ name, about }) => ({ name, about })));
  // The newest function of the same name runs.
  const run = useEffectEvent((name: string) => offered.find((command) => command.name === name)?.run());
  useEffect(() => {
    const named = JSON.parse(names) as Omit<Command, 'run'>[];
    return palette.offer(named.map((command) => ({ ...command, run: () => run(command.name) })));
  }, [palette, names]);
}

/** A function that moves the focus to the heading of the page; in an open dialog, behind which that is, to its first control. */
export function useFocusHeading(): () => void {
  const { headingRef } = useApp();
  return useCallback(() => {
    const within = document.querySelector<HTMLElement>('dialog[open] :is(textarea,button)');
    (within ?? headingRef.current)?.focus({ preventScroll: true });
  }, [headingRef]);
}

/**
 * A ref for a control that disappears once it is used: then another element gets the focus.
 *
 * @param heirOf always the same function, which finds it while the control is still in the page; else the heading gets it
 */
export function useLeavesFocus(heirOf?: (control: HTMLElement) => HTMLElement | null | undefined) {
  const focusHeading = useFocusHeading();
  return useCallback(
    (control: HTMLElement | null) => () => {
      if (!control || document.activeElement !== control) return;
      const heir = heirOf?.(control);
      if (heir) heir.focus({ preventScroll: true });
      else focusHeading();
    },
    [heirOf, focusHeading],
  );
}
