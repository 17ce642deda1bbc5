import { Refusal } from '../../contract/http/refusal.ts';

/** Other transactions changed the same data again and again. Nothing was done. */
export function databaseBusy(cause: unknown): Refusal {
  const refusal = new Refusal('busy', 'Somebody else is writing at this moment. Try again.', {
    headers: { 'Retry-After': '1' },
  });
  refusal.cause = cause;
  return refusal;
}

/** The database cannot do it now, for a reason that passes without a restart. Nothing was done. */
export function databaseUnavailable(cause: unknown): Refusal {
  const refusal = new Refusal(
    'database-unavailable',
    'Nothing was changed. Try again in a minute, and if it stays so, report the request id.',
    { headers: { 'Retry-After': '30' } },
  );
  refusal.cause = cause;
  return refusal;
}

/** The commit was sent, and no answer came: the change may be done or not. */
export function changeUnconfirmed(cause: unknown): Refusal {
  const refusal = new Refusal(
    'change-unconfirmed',
    'Read what you wanted to change, and look whether it was done, before you try again. With the same ' +
      'Idempotency-Key it is safe to send it again.',
  );
  refusal.cause = cause;
  return refusal;
}
