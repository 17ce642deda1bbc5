import type { Role } from '../contract/bff/permission.ts';
import { toBase64url } from '../lib/crypto.ts';
import type { BffDeps } from './deps.ts';
import type { ProblemCode } from '../contract/http/problem-codes.ts';

/** One request to the BFF. */
export interface RequestContext {
  readonly request: Request;
  readonly url: URL;
  /** Names this request in the log, in every answer and upstream. */
  readonly requestId: string;
  /** The peer's IP address, as far as the server knows it. */
  readonly address: string;
  /**
   * Aborts when the client has disconnected. A function, because making a signal takes time and few requests need it; the
   * same one each time, because each adds a listener to the connection.
   */
  readonly signal: () => AbortSignal;
  /**
   * Asks again whether the session still lives and allows the request, after it has waited. Set once there is a user.
   *
   * @throws {Refusal} if not
   */
  recheckAccess: () => Promise<void>;
  readonly logFields: LogFields;
  readonly traceContext: TraceContext;
}

/** What the request's line in the log will say; filled in on the way. */
interface LogFields {
  /** A path template of a table, or `*` for the dashboard's files. */
  route: string;
  /** The name of the table's row. */
  operation: string | null;
  staffId: string | null;
  /** The code of the problem that the request was answered with. */
  code?: ProblemCode;
  /** Only if the client disconnected before it had an answer. */
  clientGone?: true;
  /** Of a check of readiness: what is missing. */
  missing?: string;
  /** As other programs name the trace in their logs. */
  readonly traceId: string;
  /** Only if the service was called: how often, and for how long in all, in ms. */
  upstreamCalls?: number;
  upstreamMs?: number;
}

export interface CurrentUser {
  /** Null in a tab, where there are no accounts. */
  readonly staffId: string | null;
  readonly name: string;
  readonly role: Role;
  /** Nothing else is allowed before, because someone else has seen the password. */
  readonly mustChangePassword: boolean;
  /** Whether the OpenID provider signs the account in; it has no password here. */
  readonly singleSignOn: boolean;
}

/** Where a request comes from, as far as the server knows. */
export interface Peer {
  /** Its IP address. */
  address: string;
  /** Aborts when the client has disconnected; the request's own signal if not given. */
  signal?: () => AbortSignal;
  /** The place of the request in its trace, where the server records traces; if not given, as its caller says. */
  traceContext?: TraceContext | undefined;
}

export function startContext(
  request: Request,
  random: BffDeps['random'],
  { address, signal = () => request.signal, traceContext: given }: Peer = { address: 'unknown' },
): RequestContext {
  const traceContext = given ?? readTraceparent(request) ?? startTrace(random);
  const logFields = { route: 'none', operation: null, staffId: null, traceId: traceContext.traceId };
  const requestId = toBase64url(random(12));
  const url = new URL(request.url);
  let made: AbortSignal | undefined;
  const signalOnce = () => (made ??= signal());
  return {
    request,
    url,
    requestId,
    address,
    signal: signalOnce,
    recheckAccess: openToAll,
    logFields,
    traceContext,
  };
}

const openToAll = async () => undefined;

export interface RequestLog {
  /** Answers a request and writes its one line. */
  around(context: RequestContext, answer: () => Promise<Response>): Promise<Response>;
  /** Adds a call upstream to the line of the request that it was for. */
  upstreamCalled: (call: { requestId: string | null; ms: number }) => void;
}

/** Writes one line of the log for each request. It has the names of the tables, never the request's address. */
export function createRequestLog({ clock, log }: Pick<BffDeps, 'clock' | 'log'>): RequestLog {
  const open = new Map<string, LogFields>();
  return {
    async around({ request, requestId, logFields }, answer) {
      const started = clock();
      open.set(requestId, logFields);
      try {
        const response = await answer();
        const { status } = response;
        const ms = clock() - started;
        log(status < 500 ? 'info' : 'warn', 'request', {
          method: request.method,
          ...logFields,
          status,
          ms,
          requestId,
        });
        return response;
      } finally {
        open.delete(requestId);
      }
    },
    upstreamCalled({ requestId, ms }) {
      const fields = open.get(requestId ?? '');
      if (!fields) return;
      fields.upstreamCalls = (fields.upstreamCalls ?? 0) + 1;
      fields.upstreamMs = (fields.upstreamMs ?? 0) + ms;
    },
  };
}

/** A place in a trace (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The step of the trace that others follow from: 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the callers before us record the trace. */
  readonly sampled: boolean;
}

/** Where the caller is in its trace; null if it does not say so in the form of version 00. */
export function readTraceparent(request: Request): TraceContext | null {
  const [, traceId, spanId, flags = ''] = form.exec(request.headers.get('traceparent') ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

// All zeros are no id; capitals are none either.
const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A new trace, recorded: the log has a line for it. */
export function startTrace(random: BffDeps['random']): TraceContext {
  return { traceId: hexOf(random(16)), spanId: hexOf(random(8)), sampled: true };
}

/** Writes `traceparent` for one outgoing request, which is a new step in the trace. */
export function writeTraceparent(context: TraceContext, random: BffDeps['random']): string {
  return formatTraceparent({ ...context, spanId: hexOf(random(8)) });
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte + 256).toString(16).slice(1);
  return text;
}
