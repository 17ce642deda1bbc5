import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { sha256 } from '../../../lib/crypto.ts';
import { Problem } from '../../../contract/http/problem.ts';
import type { BffDeps, SingleSignOn } from '../../deps.ts';
import { Answer } from '../../../contract/http/answer.ts';
import type { RequestContext } from '../../http/context.ts';
import type { BffDb } from '../../schema.ts';
import { pauseJobs } from '../session-store.ts';
import type { ProviderKeys } from './provider-keys.ts';

/** A session at the OpenID provider, as the tables name it: a copy of them tells nothing to the provider. */
export const providerSessionKey = (issuer: string, sid: string) => sha256(`session ${issuer} ${sid}`);
const subjectKey = (issuer: string, subject: string) => sha256(`subject ${issuer} ${subject}`);

/** Time that a logout is remembered after the token was made, in ms: no older token is believed. */
const remembered = 24 * 60 * 60_000;

/** Deletes what can come no more. Later than needed, since our clock and the provider's may differ. */
export async function deleteOldLogouts(db: BffDb, now: number): Promise<void> {
  await db
    .deleteFrom('provider_logouts')
    .where('issued_at', '<', now - 2 * remembered)
    .execute();
}

/** Ends sessions here when somebody has signed out at the OpenID provider, which tells so by itself. */
export type BackChannelLogout = (token: unknown, context: RequestContext) => Promise<Answer<undefined>>;

export function createBackChannelLogout(
  { db, log }: Pick<BffDeps, 'db' | 'log'>,
  check: (token: unknown) => Promise<LogoutToken>,
): BackChannelLogout {
  return async (given, { requestId }) => {
    const refuse = (reason: string) => {
      log('warn', 'logout-token-refused', { requestId, reason });
      return new Problem('bad-request', 'This logout token cannot be used. No session was ended.');
    };
    const token = await check(given).catch((error: unknown) => {
      throw error instanceof LogoutTokenFault ? refuse(error.message) : error;
    });
    const sessions = await endOnce(db, token);
    if (sessions === null) throw refuse('replayed');
    log('info', 'signed-out-by-provider', { requestId, sessions });
    return new Answer(undefined, { status: 200 });
  };
}

/** @returns how many sessions ended; null where the token was used before */
async function endOnce(db: BffDb, token: LogoutToken): Promise<number | null> {
  const { issuer, jti, sid, subject, issuedAt } = token;
  const row = {
    key: await sha256(`token ${issuer} ${jti}`),
    issued_at: issuedAt,
    provider_session: sid === null ? null : await providerSessionKey(issuer, sid),
    subject: subject === null ? null : await subjectKey(issuer, subject),
  };
  const ended = await db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows: inserted } = await tx
      .insertInto('provider_logouts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted === 0n) return null;
    // Who only signs out in one browser leaves their jobs to run.
    if (sid === null) await pauseJobsOf(tx, token);
    return endSessions(tx, token, row.provider_session);
  });
  if (ended === null) return null;
  // A sign-in that was under way meanwhile has either begun its session by now, or sees that this has been written.
  return ended + (await endSessions(db, token, row.provider_session));
}

async function pauseJobsOf(tx: BffDb, { issuer, subject }: LogoutToken): Promise<void> {
  const account = tx.selectFrom('staff').select('id').where('issuer', '=', issuer);
  const known = await account.where('subject', '=', subject).executeTakeFirst();
  if (known) await pauseJobs(tx, known.id);
}

/** Those of the token's session; of one without a number, and where it names none, those of its subject. */
async function endSessions(
  db: BffDb,
  { issuer, subject }: LogoutToken,
  session: string | null,
): Promise<number> {
  const accounts = db
    .selectFrom('staff')
    .select('id')
    .where('issuer', '=', issuer)
    .$if(subject !== null, (query) => query.where('subject', '=', subject));
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('staff_id', 'in', accounts)
    .$if(session !== null, (query) =>
      query.where((row) =>
        row.or([
          row('provider_session', '=', session),
          ...(subject === null ? [] : [row('provider_session', 'is', null)]),
        ]),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** A user who signed in at the provider, and when its answer was made, in ms since 1970. */
interface ProviderSignIn {
  issuer: string;
  subject: string;
  sid: string | null;
  issuedAt: number;
}

/** True if the provider has ended this sign-in meanwhile. Call it after the session has begun. */
export async function wasSignedOut(db: BffDb, given: ProviderSignIn): Promise<boolean> {
  const { issuer, subject, sid, issuedAt } = given;
  const session = sid === null ? '' : await providerSessionKey(issuer, sid);
  const own = await subjectKey(issuer, subject);
  const found = await db
    .selectFrom('provider_logouts')
    .select('key')
    .where((row) =>
      row.or([
        row('provider_session', '=', session),
        row.and([
          row('subject', '=', own),
          row('provider_session', 'is', null),
          row('issued_at', '>=', issuedAt),
        ]),
      ]),
    )
    .executeTakeFirst();
  return found !== undefined;
}

/** Claims of a logout token: the user or the session that the provider has ended, and when, in ms since 1970. */
interface LogoutToken {
  issuer: string;
  jti: string;
  /** The session; null where all of the subject's have ended. At least one of the two is there. */
  sid: string | null;
  subject: string | null;
  issuedAt: number;
}

/** Why a logout token is not believed. It holds a code only: the token may say anything. */
class LogoutTokenFault extends Error {
  override readonly name = 'LogoutTokenFault';
}

/** Largest difference from the provider's clock, and largest age of a token, in seconds. */
const clockTolerance = 60;
const mostAge = 600;

/** The longest token that is looked at, in characters. */
const longest = 16_384;

const event = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Checks logout tokens to the letter of OpenID Connect Back-Channel Logout 1.0 section 2.6; whether one comes again is
 * for its caller to say. What shows without the provider's keys is checked first, so that strangers cause no requests.
 */
export function createLogoutTokenCheck(
  { clock, singleSignOn }: Pick<BffDeps, 'clock'> & { singleSignOn: SingleSignOn },
  providerKeys: () => Promise<ProviderKeys>,
): (token: unknown) => Promise<LogoutToken> {
  return async (token) => {
    if (typeof token !== 'string' || token === '' || token.length > longest)
      throw new LogoutTokenFault('no-token');
    checkType(token);
    const provider = await providerKeys().catch(() => {
      throw new LogoutTokenFault('no-keys');
    });
    const rules = {
      typ,
      issuer: provider.issuer,
      audience: singleSignOn.clientId,
      algorithms: provider.algorithms,
      requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti', 'events'],
      clockTolerance,
      maxTokenAge: mostAge,
      currentDate: new Date(clock()),
    };
    try {
      const { payload } = await jwtVerify(token, provider.find, rules);
      return readClaims(payload, provider.issuer);
    } catch (error) {
      throw error instanceof LogoutTokenFault ? error : new LogoutTokenFault(codeOf(error));
    }
  };
}

const typ = 'logout+jwt';

function checkType(token: string): void {
  try {
    const { typ: given } = decodeProtectedHeader(token);
    if (given?.replace(/^application\//i, '').toLowerCase() !== typ) throw new LogoutTokenFault('typ');
    readClaims(decodeJwt(token));
  } catch (error) {
    throw error instanceof LogoutTokenFault ? error : new LogoutTokenFault('no-token');
  }
}

/** @param issuer what the signature was checked for; before that, what the token says */
function readClaims(claims: JWTPayload, issuer = claims.iss ?? ''): LogoutToken {
  const { aud, jti, events, sub, sid, iat } = claims;
  // An audience besides us is one that we do not trust (OpenID Connect Core section 3.1.3.7).
  if ([aud].flat().length !== 1) throw new LogoutTokenFault('aud');
  if (typeof jti !== 'string' || jti === '') throw new LogoutTokenFault('jti');
  if (!isObject(events) || !Object.hasOwn(events, event) || !isObject(events[event]))
    throw new LogoutTokenFault('events');
  if (Object.hasOwn(claims, 'nonce')) throw new LogoutTokenFault('nonce');
  const whose = { sid: textOf(sid), subject: textOf(sub) };
  if (whose.sid === null && whose.subject === null) throw new LogoutTokenFault('nobody');
  return { issuer, jti, ...whose, issuedAt: (iat ?? 0) * 1000 };
}

function textOf(claim: unknown): string | null {
  if (claim === undefined) return null;
  if (typeof claim !== 'string' || claim === '') throw new LogoutTokenFault('nobody');
  return claim;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** jose's code; its errors for an unknown or missing key come from what was fetched, all others from the token. */
function codeOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  if (error instanceof errors.JOSEError) return error.code;
  return 'no-keys';
}
