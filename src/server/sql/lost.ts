import { Refusal } from '../../contract/http/refusal.ts';

/** The refusal of what met others at the same data, once and again. Nothing was done. */
export function databaseBusy(cause: unknown): Refusal {
  const refusal = new Refusal('busy', 'Somebody else is writing at this moment. Try again.', {
    headers: { 'Retry-After': '1' },
  });
  refusal.cause = cause;
  return refusal;
}

/** The refusal of what a database could not do at this moment, for a reason that ends without a restart. Nothing was done. */
export function databaseUnavailable(cause: unknown): Refusal {
  const refusal = new Refusal(
    'database-unavailable',
    'Nothing was changed. Try again in a minute, and if it stays so, report the request id.',
    { headers: { 'Retry-After': '30' } },
  );
  refusal.cause = cause;
  return refusal;
}

/** The refusal of a change of which nobody knows whether it was done: its commit was sent, and not answered. */
export function changeUnconfirmed(cause: unknown): Refusal {
  const refusal = new Refusal(
    'change-unconfirmed',
    'Read what you wanted to change, and look whether it was done, before you try again. With the same ' +
      'Idempotency-Key it is safe to send it again.',
  );
  refusal.cause = cause;
  return refusal;
}
