import { equalInConstantTime, sha256 } from '../lib/crypto.ts';
import type { Log } from '../lib/log.ts';
import { Answer } from '../contract/http/answer.ts';
import { Problem } from '../contract/http/problem.ts';
import { noSuchAddress } from '../contract/http/router.ts';
import type { RequestHeaders } from './http/context.ts';
import type { RequestName } from './upstream/exchange.ts';

/**
 * Counts events of the BFF. The server implements it; in a tab nobody would read it. Every label comes from a fixed
 * set, never from a name, an id or an address, because each new value begins a new series.
 */
export interface BffMetrics extends MetricsWriter {
  requestAnswered: (request: AnsweredRequest) => void;
  /** Called for each request to the service, retries included. */
  upstreamCalled: (call: { operation: RequestName; outcome: string; ms: number }) => void;
  signInEnded: (outcome: SignInOutcome) => void;
  /** Called with true when the breaker opens: calls to the service then fail at once. */
  breakerTurned: (isOpen: boolean) => void;
}

/** The metrics as the text that a monitoring system reads. */
export interface MetricsWriter {
  write: () => Promise<string>;
  contentType: string;
}

export interface AnsweredRequest {
  /** The pattern of its path. */
  route: string;
  method: string;
  /** Its class, such as `2xx`; `none` if the client disconnected before. */
  status: string;
  ms: number;
}

type SignInOutcome = 'done' | 'refused' | 'limited';

/** The same log, which also counts its events: no code has to report anything twice. */
export function countLogEvents(
  log: Log,
  metrics: Omit<BffMetrics, 'upstreamCalled' | keyof MetricsWriter>,
): Log {
  return (level, event, fields = {}) => {
    if (event === 'request') metrics.requestAnswered(requestOf(fields));
    if (event === 'upstream-breaker') metrics.breakerTurned(fields['state'] === 'open');
    const outcome = signInOutcomes[event];
    if (outcome !== undefined) metrics.signInEnded(outcome);
    log(level, event, fields);
  };
}

/** The counted part of a request's line in the log. */
export function requestOf(fields: Readonly<Record<string, unknown>>): AnsweredRequest {
  return {
    route: String(fields['route']),
    method: usualMethods.find((name) => name === fields['method']) ?? 'other',
    status: fields['clientGone'] === true ? 'none' : `${Math.floor(Number(fields['status']) / 100)}xx`,
    ms: Number(fields['ms']),
  };
}

/** A client may make up methods, and each would become a series. */
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const signInOutcomes: Readonly<Record<string, SignInOutcome>> = {
  'signed-in': 'done',
  'sign-in-failed': 'refused',
  'sign-in-limited': 'limited',
};

/** The path where a monitoring system reads the metrics. It has no session, so it sends its own token. */
export const metricsPath = '/metrics';

/** Tells whether a request comes from the monitoring system, which sends the token that opens the metrics. */
type MonitorCheck = (headers: RequestHeaders) => Promise<boolean>;

/** @param token undefined if there is no monitoring system */
export function createMonitorCheck(token: string | undefined): MonitorCheck {
  return async (headers) => {
    const given = tokenIn(headers);
    return token !== undefined && given !== undefined && (await isSecret(given, token));
  };
}

const tokenIn = (headers: RequestHeaders) => /^Bearer (.+)$/i.exec(headers.get('Authorization') ?? '')?.[1];

/** @param metrics undefined if nobody may read them; there is then nothing at the address */
export function createMetricsHandler(
  metrics: { token: string; figures: MetricsWriter } | undefined,
): (headers: RequestHeaders) => Promise<Answer> {
  const isMonitor = createMonitorCheck(metrics?.token);
  return async (headers) => {
    if (!metrics) throw noSuchAddress();
    if (!(await isMonitor(headers))) throw refuseToken(tokenIn(headers) !== undefined);
    const { write, contentType } = metrics.figures;
    return new Answer(undefined, { headers: { 'Content-Type': contentType }, body: await write() });
  };
}

/** Compares digests, so that not even the length of the secret shows in the time it takes. */
async function isSecret(given: string, secret: string): Promise<boolean> {
  return equalInConstantTime(await sha256(given), await sha256(secret));
}

/** RFC 6750 section 3: an error is named only if the request has a token. */
function refuseToken(came: boolean): Problem {
  const challenge = `Bearer realm="metrics"${came ? ', error="invalid_token"' : ''}`;
  const detail = `The metrics token is ${came ? 'wrong' : 'missing'}. Send METRICS_TOKEN as "Authorization: Bearer …".`;
  return new Problem('invalid-token', detail, { headers: { 'WWW-Authenticate': challenge } });
}
