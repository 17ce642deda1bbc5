import { Refusal } from '../../contract/http/refusal.ts';
import { equalInConstantTime, sha256 } from '../../contract/http/crypto.ts';
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
    if (given === undefined || !(await isSecret(given, metrics.token)))
      throw refuseToken(given !== undefined);
    const { write, contentType } = metrics.figures;
    return new Response(await write(), { headers: { 'Content-Type': contentType } });
  };
}

/** Compares digests, so that not even the length of the secret shows in the time it takes. */
async function isSecret(given: string, secret: string): Promise<boolean> {
  return equalInConstantTime(await sha256(given), await sha256(secret));
}

/** RFC 6750 section 3: an error is named only where a token came. */
function refuseToken(came: boolean): Refusal {
  const challenge = `Bearer realm="metrics"${came ? ', error="invalid_token"' : ''}`;
  return new Refusal('invalid-token', 'Send the token of METRICS_TOKEN as a Bearer token.', {
    headers: { 'WWW-Authenticate': challenge },
  });
}
