import { scenarios, type Step } from './scenarios.ts';
import type { Settings } from './settings.ts';

/** What the bar shows. */
export interface ShownState extends Settings {
  /** How many steps of the scenario are done. */
  step: number;
  /** Whether the user changed anything, so that starting over loses something. */
  touched: boolean;
  signedIn: boolean;
  /** False if the browser's storage is full or blocked, so that a reload loses the last changes. */
  isKept: boolean;
}

export interface DemoState {
  get: () => ShownState;
  change: (part: Partial<ShownState>) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createState(begin: Omit<ShownState, 'isKept'>): DemoState {
  let shown: ShownState = { ...begin, isKept: true };
  const listeners = new Set<() => void>();
  return {
    get: () => shown,
    change(part) {
      shown = { ...shown, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The step to do now; undefined without a scenario, and when all are done. */
export const currentStep = ({ scenario, step }: Pick<ShownState, 'scenario' | 'step'>): Step | undefined =>
  scenario === 'none' ? undefined : scenarios[scenario].steps[step];
