import { Refusal } from '../../contract/http/refusal.ts';
import { digest } from '../digest.ts';
import type { Exposition } from './figures.ts';

/** Where a monitoring system reads the figures: with a token of its own, since it has no session. */
export const metricsPath = '/metrics';

/** @param metrics none where nobody is to read them; then there is nothing at the address */
export function createMetricsDoor(
  metrics: { token: string; figures: Exposition } | undefined,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!metrics) throw new Refusal('no-such-address', 'Check the address.');
    const given = /^Bearer (.+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
    if (given === undefined || !(await isSame(given, metrics.token))) throw refuseToken(given !== undefined);
    const { write, contentType } = metrics.figures;
    return new Response(await write(), { headers: { 'Content-Type': contentType } });
  };
}

/** In a time that tells nothing: of digests, how much they have in common says nothing of their texts. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = [await digest(one), await digest(other)];
  let differences = 0;
  for (let place = 0; place < a.length; place += 1) differences |= a.charCodeAt(place) ^ b.charCodeAt(place);
  return differences === 0;
}

/** RFC 6750 section 3: an error is named only where a token came. */
function refuseToken(came: boolean): Refusal {
  const challenge = `Bearer realm="metrics"${came ? ', error="invalid_token"' : ''}`;
  return new Refusal('invalid-token', 'Send the token of METRICS_TOKEN as a Bearer token.', {
    headers: { 'WWW-Authenticate': challenge },
  });
}
