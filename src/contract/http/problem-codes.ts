/**
 * The HTTP status and the title of each problem; not loaded with the first view. The title says what happened. The detail, which the dashboard shows
 * without the title, says what happened, whether anything was changed, and what to do.
 */
export const problems = {
  'bad-request': [400, 'The request cannot be read'],
  'not-signed-in': [401, 'Not signed in'],
  'wrong-password': [401, 'Wrong name or password'],
  'password-expired': [401, 'The one-time password is no longer valid'],
  'invalid-token': [401, 'The access token is missing, invalid or expired'],
  'not-allowed': [403, 'Not allowed'],
  'password-change-needed': [403, 'The one-time password has to be replaced first'],
  'insufficient-scope': [403, 'The access token lacks a scope'],
  'cross-site': [403, 'The request did not come from Subscriber Desk'],
  'no-such-address': [404, 'Nothing at this address'],
  'no-such-subscriber': [404, 'Subscriber not found'],
  'no-such-account': [404, 'Account not found'],
  'no-such-session': [404, 'Session not found'],
  'no-such-view': [404, 'View not found'],
  'no-such-message': [404, 'Message not found'],
  'no-such-entry': [404, 'Activity entry not found'],
  'no-such-job': [404, 'Job not found'],
  'method-not-allowed': [405, 'This address does not support the method'],
  'too-slow': [408, 'The request arrived too slowly'],
  'last-manager': [409, 'At least one manager is needed'],
  'decided-elsewhere': [409, 'Managed by single sign-on'],
  'change-under-way': [409, 'A change is still running'],
  'changed-since': [409, 'Changed again later'],
  'cannot-undo': [409, 'This cannot be undone'],
  'wrong-job-state': [409, 'The job is in another state'],
  'changed-meanwhile': [412, 'Someone else changed it first'],
  'too-large': [413, 'The body is too large'],
  'not-json': [415, 'The body is not JSON'],
  'wrong-host': [421, 'The request is for another host'],
  'invalid-input': [422, 'Some values were not accepted'],
  'key-used-before': [422, 'The Idempotency-Key was used before'],
  'too-many-attempts': [429, 'Too many attempts'],
  'too-many-requests': [429, 'Too many requests'],
  'headers-too-large': [431, 'The headers are too large'],
  'internal-error': [500, 'Something went wrong on the server'],
  'bad-upstream': [502, 'Unexpected answer from the subscriber service'],
  'upstream-unreachable': [503, 'The subscriber service does not answer'],
  busy: [503, 'Too busy right now'],
  'database-unavailable': [503, 'The database is not available'],
  'disk-full': [503, 'The disk is full'],
  'change-unconfirmed': [503, 'It is unclear whether the change was made'],
  'outcome-unknown': [503, 'It is unclear whether the change was made'],
  'upstream-timeout': [504, 'The subscriber service took too long'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

/** The stable code of every error except OAuth's. */
export type ProblemCode = keyof typeof problems;
export const problemCodes = Object.keys(problems) as ProblemCode[];
