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

const tick = 30_000;

/** In ms: a clock that is off by less is right. The server's time has whole seconds, and took its time to come. */
const tolerance = 60_000;

type Clock = ReturnType<typeof createClock>;

/**
 * One clock for the page, so that all relative times change together, every half minute. Where the browser's own is wrong,
 * it shows the server's time: that decides who can watch.
 */
export function createClock() {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  /** The time by which the browser's clock is behind the server's, in ms. */
  let behind = 0;
  const current = () => Date.now() + behind;
  let now = current();

  function advance(): void {
    now = current();
    for (const listener of listeners) listener();
  }

  /** Nobody sees a page that is being hidden: to draw it again took 24 ms of each reload. */
  function advanceIfShown(): void {
    if (!document.hidden) advance();
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      timer ??= setInterval(advance, tick);
      // Timers pause while a page is hidden or the machine sleeps.
      document.addEventListener('visibilitychange', advanceIfShown);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        document.removeEventListener('visibilitychange', advanceIfShown);
        clearInterval(timer);
        timer = undefined;
      };
    },
    /** In ms since the epoch; at most half a minute old, even after the machine's clock was changed. */
    now: (): number => {
      if (Math.abs(current() - now) >= tick) now = current();
      return now;
    },
    /**
     * Takes the server's time from an answer.
     *
     * @param date its `Date` header
     * @param requestedAt the browser's time when it was asked for; a machine that slept meanwhile got an old answer
     */
    follow(date: string | null, requestedAt: number): void {
      const by = Date.parse(date ?? '') - Date.now();
      if (Number.isNaN(by) || Date.now() - requestedAt >= tolerance) return;
      const next = Math.abs(by) < tolerance ? 0 : by;
      if (Math.abs(next - behind) < tick) return;
      behind = next;
      advance();
    },
  };
}

export interface Toast {
  id: number;
  tone: 'ok' | 'warn' | 'bad' | 'busy';
  text: string;
  action?: ToastAction | undefined;
}

interface ToastAction {
  label: string;
  /** A sentence about the effect; shown on hover. */
  description?: string;
  /** Null while it is in progress. */
  onPress: (() => void) | null;
}

type Toasts = ReturnType<typeof createToasts>;

/** The messages in the corner of the page about the result of an action. Screen readers announce them. */
export function createToasts() {
  const { get: list, set, subscribe } = createStore<readonly Toast[]>([]);
  let lastId = 0;

  return {
    list,
    subscribe,
    /**
     * @param tone a `busy` toast stays until it is replaced
     * @returns its id, for `replace`
     */
    show(tone: Toast['tone'], text: string, action?: ToastAction): number {
      lastId += 1;
      const others = list().filter((toast, index) => toast.tone === 'busy' || index >= list().length - 2);
      set([...others, { id: lastId, tone, text, action }]);
      return lastId;
    },
    /** Does nothing if the toast is gone, for example after signing out. */
    replace(id: number, tone: Toast['tone'], text: string, action?: ToastAction): void {
      set(list().map((toast) => (toast.id === id ? { id, tone, text, action } : toast)));
    },
    dismiss: (id: number): void => set(list().filter((toast) => toast.id !== id)),
    /** The next user of this page must not see the messages of the last one. */
    clear: (): void => set([]),
  };
}
