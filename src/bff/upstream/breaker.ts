import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { upstreamPaused } from './failures.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** Failures in a row that open the breaker, and how long it stays open before the next probe, in ms. */
export const breakerLimits = { failures: 5, pause: 10_000 } as const;

export interface Breaker {
  /** Whether calls go out. */
  isClosed(): boolean;
  /** @throws {Refusal} `upstream-unreachable` at once, where a call would not go out now */
  check(): void;
  /** Makes one call, if it may go out now. @throws {Refusal} as `check` does, or what the call throws */
  run(call: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer>;
}

/**
 * A circuit breaker: it spares a service that does not answer, and the people who would wait for it. Closed, it lets
 * all calls through; after some failures in a row it opens and none goes out; from time to time it lets a single one
 * try (half-open), and closes again when that succeeds.
 */
export function createBreaker({ clock, log }: Pick<BffDeps, 'clock' | 'log'>): Breaker {
  let failures = 0;
  let openUntil: number | null = null;
  let probing = false;
  // Counts openings and closings: a call that began before one does not count after it.
  let generation = 0;

  const switchTo = (until: number | null) => {
    if ((openUntil === null) !== (until === null))
      log('warn', 'upstream-breaker', { state: until === null ? 'closed' : 'open' });
    openUntil = until;
    failures = 0;
    probing = false;
    generation += 1;
  };

  const record = (began: number, answered: boolean) => {
    if (began !== generation) return;
    failures = answered ? 0 : failures + 1;
    if (answered && openUntil !== null) switchTo(null);
    else if (!answered && (openUntil !== null || failures >= breakerLimits.failures))
      switchTo(clock() + breakerLimits.pause);
  };

  const check = () => {
    if (openUntil === null) return;
    const left = openUntil - clock();
    if (left > 0 || probing) throw upstreamPaused(Math.max(left, 0));
  };

  return {
    isClosed: () => openUntil === null,
    check,
    async run(call) {
      check();
      const began = generation;
      probing = openUntil !== null;
      try {
        const answer = await call();
        record(began, ![502, 503, 504].includes(answer.status));
        return answer;
      } catch (error) {
        // An answer that cannot be used still shows that the service is running.
        record(began, error instanceof Refusal && error.code === 'bad-upstream');
        throw error;
      }
    },
  };
}
