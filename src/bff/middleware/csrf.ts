import { csrfHeader } from '../../contract/bff/paths.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { Transport } from '../deps.ts';
import { publicOrigins } from './host.ts';

const bodiless = ['GET', 'HEAD'];
const safeMethods = [...bodiless, 'OPTIONS'];

/**
 * Refuses what another site could have made a browser send. A form or a link cannot carry our header, and a script
 * of another origin would have to ask first (CORS), which nothing here allows. Unsafe methods need a second proof.
 */
export function createSameOriginGuard(transport: Transport): (request: Request) => void {
  const isOurs = transport.kind === 'tab' ? () => true : createOriginCheck(transport.publicUrl);
  return (request) => {
    const unsafe = !safeMethods.includes(request.method);
    if (request.headers.get(csrfHeader.name) !== csrfHeader.value || (unsafe && !isOurs(request)))
      throw new Refusal(
        'cross-site',
        'Only the desk itself can send this. Open the desk and try again there.',
      );
    const type = request.headers.get('Content-Type');
    // Only where there can be one: to look for a body makes the listener build all of the request.
    const body = bodiless.includes(request.method) ? null : request.body;
    if ((body ?? type) !== null && !isJson(type))
      throw new Refusal('not-json', 'Send the body as application/json.');
  };
}

/** By `Sec-Fetch-Site`, which no script can set; where a browser is too old to send it, by `Origin`. */
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
