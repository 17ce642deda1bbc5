import { askForHelp, Problem } from '../../contract/http/problem.ts';

/** Other transactions kept changing the same data. This one was rolled back. */
export function databaseBusy(cause: unknown): Problem {
  const refusal = new Problem('busy', 'The database is busy with other changes. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });
  refusal.cause = cause;
  return refusal;
}

/** The database cannot be used right now, for a reason that passes without a restart. Nothing was changed. */
export function databaseUnavailable(cause: unknown): Problem {
  const refusal = new Problem(
    'database-unavailable',
    `The database cannot be used right now. Nothing was changed. Try again in a minute. ${askForHelp}`,
    { headers: { 'Retry-After': '30' } },
  );
  refusal.cause = cause;
  return refusal;
}

/** There is no room for what was to be written. Nothing was changed, and reading goes on. */
export function diskFull(cause: unknown): Problem {
  const refusal = new Problem(
    'disk-full',
    'The disk of the server is full. Nothing was changed. Tell an administrator to make room on it.',
    { headers: { 'Retry-After': '30' } },
  );
  refusal.cause = cause;
  return refusal;
}

/** The commit was sent and no answer came, so the change may or may not be made. */
export function changeUnconfirmed(cause: unknown): Problem {
  const refusal = new Problem(
    'change-unconfirmed',
    'It is unclear whether the change was made. Check it before you try again. With the same Idempotency-Key it is safe to ' +
      'send it again.',
    { headers: { 'Retry-After': '30' } },
  );
  refusal.cause = cause;
  return refusal;
}
