import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import { upstreamAsleep } from './failures.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** Failures in a row that open the breaker, and how long it stays open before the next probe, in ms. */
export const breakerLimits = { failures: 5, pause: 10_000 } as const;

export interface Breaker {
  /** Whether calls go out freely. */
  isClosed(): boolean;
  /** @throws {Refusal} `upstream-unreachable` at once, where a call would not go out now */
  check(): void;
  /** One attempt, if it may go out now. @throws {Refusal} as `check` does, or what the attempt throws */
  run(attempt: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer>;
}

/**
 * Spares a service that does not answer, and the people who would wait for it. Closed, it lets all calls through;
 * after some failures in a row it opens and none goes out; from time to time a single one may try (half-open), and
 * its success closes it again.
 */
export function createBreaker({ clock, log }: Pick<BffDeps, 'clock' | 'log'>): Breaker {
  let failures = 0;
  let openUntil: number | null = null;
  let probing = false;
  // Counts openings and closings, so that a call that began before one has no say after it.
  let era = 0;

  const turn = (until: number | null) => {
    if ((openUntil === null) !== (until === null))
      log('warn', 'upstream-breaker', { state: until === null ? 'closed' : 'open' });
    openUntil = until;
    failures = 0;
    probing = false;
    era += 1;
  };

  const settle = (began: number, answered: boolean) => {
    if (began !== era) return;
    failures = answered ? 0 : failures + 1;
    if (answered && openUntil !== null) turn(null);
    else if (!answered && (openUntil !== null || failures >= breakerLimits.failures))
      turn(clock() + breakerLimits.pause);
  };

  const check = () => {
    if (openUntil === null) return;
    const left = openUntil - clock();
    if (left > 0 || probing) throw upstreamAsleep(Math.max(left, 0));
  };

  return {
    isClosed: () => openUntil === null,
    check,
    async run(attempt) {
      check();
      const began = era;
      probing = openUntil !== null;
      try {
        const answer = await attempt();
        settle(began, ![502, 503, 504].includes(answer.status));
        return answer;
      } catch (error) {
        // An answer that cannot be used shows all the same that somebody is there.
        settle(began, error instanceof Refusal && error.code === 'bad-upstream');
        throw error;
      }
    },
  };
}
