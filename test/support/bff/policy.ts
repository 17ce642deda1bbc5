/** `ok`, or the code of the refusal, for: nobody signed in, a manager's one-time password, and each role. */
export type PolicyLine = readonly [
  route: string,
  anonymous: string,
  oneTimePassword: string,
  viewer: string,
  support: string,
  manager: string,
];

const out = 'not-signed-in';
const change = 'password-change-needed';
const no = 'not-allowed';
const ok = 'ok';
/** Public, but there is nothing where single sign-on or metrics are not configured. */
const none = 'no-such-address';

/** The token of the sample is nobody's. */
const unknown = 'no-such-subscriber';
/** Nobody has a session with the ID of the sample. */
const noSession = 'no-such-session';

/** The address of the tests is a number, for which there are no passkeys, and the one of the sample is made up. */
const here = 'no-passkeys';
const wrong = 'wrong-passkey';

/** For the provider's server, which signs what it sends; never for a browser, whoever is signed in there. */
const server = 'cross-site';

/**
 * Who may call what, written by hand: nothing in this table is computed from the code that it tests. Each route of the BFF
 * has a line.
 */
export const policy: readonly PolicyLine[] = [
  //                                            anonymous  one-time  viewer  support  manager
  ['POST /bff/session', ok, ok, ok, ok, ok],
  ['GET /bff/session/passkey', here, here, here, here, here],
  ['POST /bff/session/passkey', wrong, wrong, wrong, wrong, wrong],
  ['GET /bff/sign-in-ways', ok, ok, ok, ok, ok],
  ['GET /bff/oidc/start', none, none, none, none, none],
  ['GET /bff/oidc/callback', none, none, none, none, none],
  ['POST /bff/oidc/backchannel-logout', server, server, server, server, server],
  ['GET /healthz', ok, ok, ok, ok, ok],
  ['GET /readyz', ok, ok, ok, ok, ok],
  ['GET /metrics', none, none, none, none, none],

  ['GET /bff/session', out, ok, ok, ok, ok],
  ['DELETE /bff/session', out, ok, ok, ok, ok],
  ['PUT /bff/password', out, ok, ok, ok, ok],
  ['GET /bff/sessions', out, change, ok, ok, ok],
  ['DELETE /bff/sessions', out, change, ok, ok, ok],
  ['DELETE /bff/sessions/{id}', out, change, noSession, noSession, noSession],

  ['GET /bff/second-factor', out, change, ok, ok, ok],
  ['POST /bff/second-factor/app', out, change, ok, ok, ok],
  ['PUT /bff/second-factor/app', out, change, 'invalid-input', 'invalid-input', 'invalid-input'],
  ['POST /bff/second-factor/app/removal', out, change, 'invalid-input', 'invalid-input', 'invalid-input'],
  ['POST /bff/second-factor/recovery-codes', out, change, 'invalid-input', 'invalid-input', 'invalid-input'],
  ['POST /bff/passkeys/options', out, change, here, here, here],
  ['POST /bff/passkeys', out, change, wrong, wrong, wrong],
  ['POST /bff/passkeys/{id}/removal', out, change, 'no-such-passkey', 'no-such-passkey', 'no-such-passkey'],

  ['GET /bff/drafts/{id}', out, change, ok, ok, ok],
  ['PUT /bff/drafts/{id}', out, change, ok, ok, ok],
  ['DELETE /bff/drafts/{id}', out, change, ok, ok, ok],
  ['GET /bff/subscribers/{id}/editors', out, change, ok, ok, ok],
  ['GET /bff/recent-subscribers', out, change, ok, ok, ok],
  ['PUT /bff/recent-subscribers/{id}', out, change, ok, ok, ok],
  ['GET /bff/views', out, change, ok, ok, ok],
  ['POST /bff/views', out, change, ok, ok, ok],
  ['PUT /bff/views/{id}', out, change, ok, ok, ok],
  ['DELETE /bff/views/{id}', out, change, ok, ok, ok],
  ['GET /bff/messages', out, change, ok, ok, ok],
  ['POST /bff/messages', out, change, no, no, ok],
  ['PUT /bff/messages/{id}', out, change, no, no, ok],
  ['DELETE /bff/messages/{id}', out, change, no, no, ok],
  ['POST /bff/find-by-token', out, change, ok, ok, ok],
  ['POST /bff/find-former-token', out, change, unknown, unknown, unknown],
  ['POST /bff/subscribers/{id}/reveal-token', out, change, no, ok, ok],

  ['GET /bff/staff', out, change, no, no, ok],
  ['POST /bff/staff', out, change, no, no, ok],
  ['PUT /bff/staff/{id}', out, change, no, no, ok],
  ['DELETE /bff/staff/{id}/sessions', out, change, no, no, ok],
  ['POST /bff/staff/{id}/one-time-password', out, change, no, no, ok],
  ['POST /bff/staff/{id}/second-factor/removal', out, change, no, no, ok],

  ['GET /bff/overview', out, change, ok, ok, ok],
  ['GET /bff/overview/changes', out, change, ok, ok, ok],

  ['POST /bff/jobs', out, change, no, no, ok],
  ['POST /bff/imports', out, change, no, no, ok],
  ['PUT /bff/imports/{id}/rows', out, change, no, no, 'wrong-job-state'],
  ['GET /bff/jobs', out, change, no, no, ok],
  ['GET /bff/jobs/{id}', out, change, no, no, ok],
  ['GET /bff/jobs/{id}/rows', out, change, no, no, ok],
  ['POST /bff/jobs/{id}/start', out, change, no, no, ok],
  ['POST /bff/jobs/{id}/pause', out, change, no, no, 'wrong-job-state'],
  ['POST /bff/jobs/{id}/stop', out, change, no, no, ok],
  ['POST /bff/jobs/{id}/retry', out, change, no, no, 'wrong-job-state'],
  ['POST /bff/jobs/{id}/undo', out, change, no, no, 'cannot-undo'],

  ['GET /bff/export', out, change, no, no, ok],

  ['GET /bff/activity', out, change, ok, ok, ok],
  ['GET /bff/activity/totals', out, change, no, no, ok],
  ['POST /bff/activity/exports', out, change, ok, ok, ok],
  ['POST /bff/activity/{id}/undo', out, change, no, ok, ok],

  ['GET /api/subscribers', out, change, ok, ok, ok],
  ['GET /api/subscribers/{id}', out, change, ok, ok, ok],
  ['POST /api/subscribers', out, change, no, ok, ok],
  ['PUT /api/subscribers/{id}', out, change, no, ok, ok],
  ['DELETE /api/subscribers/{id}', out, change, no, no, ok],
  ['POST /api/subscribers/{id}/regenerate-token', out, change, no, ok, ok],
  ['GET /api/subscriber-statuses', out, change, ok, ok, ok],
];

/** `ok` or the code of the refusal, where the row of the table is open to all and the view decides; by hand as well. */
export const sharedViewPolicy: readonly (readonly [
  what: string,
  viewer: string,
  support: string,
  manager: string,
])[] = [
  //                               viewer  support  manager
  ['see a shared view', ok, ok, ok],
  ['add a shared view', no, no, ok],
  ['share an own view', no, no, ok],
  ['rename a shared view', no, no, ok],
  ['update a shared view', no, no, ok],
  ['move a shared view', no, no, ok],
  ['stop sharing a view', no, no, ok],
  ['delete a shared view', no, no, ok],
];
