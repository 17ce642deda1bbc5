import * as z from 'zod/mini';
import { createStore } from '../lib/store.ts';
import { scenarios, type Step } from './scenarios.ts';
import { Settings } from './settings.ts';

/** A tab's own state: the bar shows it, and it survives a reload. */
const TabState = z.object({
  ...Settings.shape,
  /** The name of the data that it shows. */
  dataName: z.string(),
  /** The id of these data; null before the tab has seen them. */
  dataId: z.nullable(z.string()),
  /** Number of steps of the scenario that are done. */
  step: z.number(),
  /** True if the user changed anything, so that starting over loses something. */
  touched: z.boolean(),
  /** The id of the session, which is valid in this tab only; null where nobody is signed in. */
  session: z.nullable(z.string()),
  /** False if the browser's storage is full or blocked, so that a reload loses the last changes. */
  isStored: z.boolean(),
});
export type TabState = z.infer<typeof TabState>;

export type DemoState = ReturnType<typeof createState>;

/** The storage of one tab: a reload finds it, other tabs do not, and closing the tab deletes it. */
type TabStorage = () => Pick<Storage, 'getItem' | 'setItem'>;

const key = 'demo';
/** Stored where the next page of the tab is to begin with data of its own. */
export const startOver = 'start over';

/**
 * The state that the page before has stored, or that it started over; null if there is none, or it is from another version.
 *
 * @param storage called each time, because a browser that blocks storage throws even when it is named
 */
export function readState(storage: TabStorage): TabState | typeof startOver | null {
  try {
    const stored = storage().getItem(key);
    return stored === startOver ? startOver : z.parse(TabState, JSON.parse(stored ?? ''));
  } catch {
    return null;
  }
}

/** Keeps the state of a tab, and stores each change at once, because the page may reload at any time. */
export function createState(storage: TabStorage, begin: TabState) {
  const state = createStore(begin);
  let isOver = false;
  const store = (text: string): boolean => {
    try {
      storage().setItem(key, text);
      return true;
    } catch {
      return false;
    }
  };
  return {
    get: state.get,
    subscribe: state.subscribe,
    change(part: Partial<TabState>) {
      const next = { ...state.get(), ...part };
      const isStored = isOver || store(JSON.stringify(next));
      state.set(isStored ? next : { ...next, isStored });
    },
    /** Lets the next page of the tab begin with data of its own; this one stores nothing more. */
    startOver() {
      isOver = true;
      store(startOver);
    },
  };
}

/** The step to do now; undefined without a scenario, and when all are done. */
export const currentStep = ({ scenario, step }: Pick<TabState, 'scenario' | 'step'>): Step | undefined =>
  scenario === 'none' ? undefined : scenarios[scenario].steps[step];
