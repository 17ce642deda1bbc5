import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:long`, which has time for as many rounds as are promised. */
    hasTime?: boolean;
  }
}

/** Number of rounds of a race or of generated inputs: few in `npm test`, as many as are promised in `npm run test:long`. */
export const roundsOf = (few: number, promised: number): number => (inject('hasTime') ? promised : few);
