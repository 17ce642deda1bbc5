import { csrfHeader } from '../../contract/bff/paths.ts';
import {
  may,
  disabledReason,
  type BffEndpoint,
  type Permission,
  type Role,
} from '../../contract/bff/permission.ts';
import { backChannel, navigations } from '../../contract/bff/single-sign-on.ts';
import { Problem } from '../../contract/http/problem.ts';
import { notJson, wrongMethod } from '../../contract/http/router.ts';
import type { BffDeps, Transport } from '../deps.ts';
import type { HttpContext } from './context.ts';
import type { CurrentUser } from '../current-user.ts';

/** The spellings of the own machine's address. */
export const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** The origins of the dashboard: one, or every spelling of the loopback address. */
function publicOrigins(publicUrl: string): URL[] {
  const origin = new URL(publicUrl);
  if (!loopback.includes(origin.hostname)) return [origin];
  const port = origin.port && `:${origin.port}`;
  return loopback.map((name) => new URL(`${origin.protocol}//${name}${port}`));
}

/**
 * Refuses a request for another host. With DNS rebinding, an attacker's host name points here and its page is
 * same-origin with itself, but its Host header is not ours.
 */
export function createHostGuard(
  transport: Transport,
): (context: Pick<HttpContext, 'request' | 'url'>) => void {
  if (transport.kind === 'tab') return () => undefined;
  const ours = new Set(publicOrigins(transport.publicUrl).map((origin) => origin.host));
  // The default port is that of the public scheme: behind a proxy for https the request may come over http.
  const usualPort = new URL(transport.publicUrl).protocol === 'https:' ? /:443$/ : /:80$/;
  const isOurs = (host: string) => ours.has(host.replace(usualPort, ''));
  return ({ request, url }) => {
    const target = url.host;
    const named = request.headers.get('Host')?.toLowerCase() ?? target;
    if (!isOurs(target) || !isOurs(named))
      throw new Problem(
        'wrong-host',
        `This is not the address of Subscriber Desk. Open ${transport.publicUrl}.`,
      );
  };
}

const bodiless = ['GET', 'HEAD'];
const safeMethods = [...bodiless, 'OPTIONS'];

/**
 * Refuses requests that another site could make a browser send. A form or a link cannot send our header, and a script
 * of another origin needs a CORS preflight, which nothing here allows. Unsafe methods need a second proof.
 */
export function createSameOriginGuard(transport: Transport): (request: Request) => void {
  const isOurs = transport.kind === 'tab' ? () => true : createOriginCheck(transport.publicUrl);
  return (request) => {
    const unsafe = !safeMethods.includes(request.method);
    if (request.headers.get(csrfHeader.name) !== csrfHeader.value || (unsafe && !isOurs(request)))
      throw new Problem(
        'cross-site',
        'The request did not come from Subscriber Desk, so nothing was done. Open Subscriber Desk and try again there.',
      );
    const type = request.headers.get('Content-Type');
    // Only for methods that can have a body: looking for one makes the listener build the whole request.
    const body = bodiless.includes(request.method) ? null : request.body;
    if ((body ?? type) !== null && !isJson(type)) throw notJson();
  };
}

/** Checks `Sec-Fetch-Site`, which no script can set; for a browser too old to send it, `Origin`. */
function createOriginCheck(publicUrl: string): (request: Request) => boolean {
  const ours = new Set(publicOrigins(publicUrl).map((url) => url.origin));
  return (request) => {
    const site = request.headers.get('Sec-Fetch-Site');
    return site === null ? ours.has(request.headers.get('Origin') ?? '') : site === 'same-origin';
  };
}

function isJson(type: string | null): boolean {
  return type?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

/** True if the OpenID provider's server sends to this path by itself. */
export const isBackChannel = (path: string): boolean =>
  Object.values(backChannel).some((row) => row.path === path);

/** Refuses what a browser sends. All that counts is what the sender has signed, so there is nothing else to check. */
export function checkBackChannel(request: Request): void {
  if (request.method !== 'POST') throw wrongMethod(['POST']);
  if (request.headers.has('Sec-Fetch-Site'))
    throw new Problem('cross-site', 'Only the single sign-on provider can send this. Nothing was changed.');
}

/** True if browsers navigate to this path. They then cannot send the header that all other requests have. */
export const isNavigation = (path: string): boolean =>
  Object.values(navigations).some((navigation) => navigation.path === path);

/**
 * Allows only the navigation of a whole page: no request of a script, no frame, no image. Only the way back from the
 * provider may come from another site; there the state in the address and the browser's cookie decide.
 */
export function checkNavigation(request: Request, path: string): void {
  if (request.method !== 'GET') throw wrongMethod(['GET']);
  const has = (name: string, allowed: readonly string[]) => {
    // Browsers from before 2023 may not send it.
    const value = request.headers.get(name);
    return value === null || allowed.includes(value);
  };
  const ours = path === navigations.finishSingleSignOn.path || has('Sec-Fetch-Site', ['same-origin', 'none']);
  if (!ours || !has('Sec-Fetch-Mode', ['navigate']) || !has('Sec-Fetch-Dest', ['document']))
    throw new Problem(
      'cross-site',
      'Single sign-on starts on the sign-in page. Open Subscriber Desk and sign in there.',
    );
}

/** @throws {Problem} `clock-wrong` */
export function checkClock({ isClockWrong }: Pick<BffDeps, 'isClockWrong'>): void {
  if (isClockWrong?.())
    throw new Problem(
      'clock-wrong',
      'The clock of the server differs from the clock of its database, so nothing was done. Tell an administrator.',
    );
}

/**
 * Checks that a row of the table allows the user.
 *
 * @throws {Problem} `password-change-needed` or `not-allowed`
 */
export function checkAccess(
  row: Pick<BffEndpoint, 'access' | 'oneTimePassword'>,
  { role, mustChangePassword }: CurrentUser,
): void {
  if (mustChangePassword && !row.oneTimePassword)
    throw new Problem(
      'password-change-needed',
      'You signed in with a one-time password. Choose your own password to continue.',
    );
  if (row.access !== 'public' && row.access !== 'signed-in') checkPermission(role, row.access);
}

/** True if a row is closed to users who have to set up a second factor first. */
export const needsSecondFactor = (
  row: Pick<BffEndpoint, 'oneTimePassword' | 'withoutSecondFactor'>,
): boolean => !row.oneTimePassword && !row.withoutSecondFactor;

export const secondFactorNeeded = () =>
  new Problem(
    'second-factor-needed',
    'Your account needs a second factor here. Set one up under My account to continue.',
  );

/** @throws {Problem} `not-allowed` if the role does not have the permission */
export function checkPermission(role: Role, permission: Permission): void {
  if (!may(role, permission)) throw notAllowed(permission);
}

export const notAllowed = (permission: Permission) =>
  new Problem('not-allowed', `${disabledReason(permission)} Ask a manager.`);
