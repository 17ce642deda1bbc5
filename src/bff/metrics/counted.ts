import type { Log } from '../../contract/http/log.ts';
import type { AnsweredRequest, DeskFigures, Exposition, SignInOutcome } from './figures.ts';

/**
 * The same log, counting what goes through it. It says already what happens; so no code has to tell twice, and what it
 * does not know is not counted.
 */
export function counted(log: Log, figures: Omit<DeskFigures, 'upstreamCalled' | keyof Exposition>): Log {
  return (level, event, facts = {}) => {
    if (event === 'request') figures.requestAnswered(requestOf(facts));
    if (event === 'upstream-breaker') figures.breakerTurned(facts['state'] === 'open');
    const outcome = signInOutcomes[event];
    if (outcome !== undefined) figures.signInEnded(outcome);
    log(level, event, facts);
  };
}

/** What is counted of a request's line in the log. */
export function requestOf(facts: Readonly<Record<string, unknown>>): AnsweredRequest {
  return {
    route: String(facts['route']),
    method: usualMethods.find((name) => name === facts['method']) ?? 'other',
    status: `${Math.floor(Number(facts['status']) / 100)}xx`,
    ms: Number(facts['ms']),
  };
}

/** A client may make up methods, and each would become a series. */
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Events of the log that end an attempt to sign in. */
const signInOutcomes: Readonly<Record<string, SignInOutcome>> = {
  'signed-in': 'done',
  'sign-in-failed': 'refused',
  'sign-in-limited': 'limited',
};
