import { askForHelp, Problem } from '../../contract/http/problem.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';

/** A problem of the database that passes without a restart; an answer with it says when to try again. */
function passing(code: ProblemCode, sentence: string, retryAfterSeconds = 30): (cause: unknown) => Problem {
  return (cause) => {
    const problem = new Problem(code, sentence, { headers: { 'Retry-After': String(retryAfterSeconds) } });
    problem.cause = cause;
    return problem;
  };
}

/** Other transactions kept changing the same data. This one was rolled back. */
export const databaseBusy = passing(
  'busy',
  'The database is busy with other changes. Try again in a moment.',
  1,
);

/** The database can’t be used right now. Nothing was changed. */
export const databaseUnavailable = passing(
  'database-unavailable',
  `The database can’t be used right now. Nothing was changed. Try again in a minute. ${askForHelp}`,
);

/** There is no room for what was to be written. Nothing was changed, and reading goes on. */
export const diskFull = passing(
  'disk-full',
  'The disk of the server is full. Nothing was changed. Tell an administrator to make room on it.',
);

/** The commit was sent and no answer came, so the change may or may not be made. */
export const changeUnconfirmed = passing(
  'change-unconfirmed',
  'It is unclear whether the change was made. Check it before you try again. With the same Idempotency-Key it is safe to send it again.',
);
