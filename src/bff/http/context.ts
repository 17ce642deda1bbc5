import type { Role } from '../../contract/bff/permission.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { startTrace, type TraceContext } from '../../lib/trace-context.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';
import type { CurrentUser } from '../current-user.ts';

/** A request that comes in, with the body that its route reads. */
export interface HttpContext extends RequestContext {
  readonly request: Request;
}

/** Properties of a request besides its input, for handlers. */
export interface RequestContext {
  readonly method: string;
  readonly headers: RequestHeaders;
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
  /** Ends the connection of an answer that cannot be finished; undefined where there is none, as in a tab. */
  readonly cutOff: Peer['cutOff'];
  /**
   * Asks again whether the session still lives and allows the request, after it has waited. Set once there is a user.
   *
   * @returns the user as the account is now
   * @throws {Problem} if not
   */
  recheckAccess: () => Promise<CurrentUser | null>;
  readonly logFields: LogFields;
  readonly traceContext: TraceContext;
}

export type RequestHeaders = Pick<Headers, 'get'>;

/** Fields of the request's line in the log; filled in on the way. */
export interface LogFields {
  /** A path template of a table, or `*` for the dashboard's files. */
  route: string;
  /** The name of the table's row. */
  operation: string | null;
  staffId: string | null;
  /** The code of the problem that the request was answered with. */
  code?: ProblemCode;
  /** Only if the client disconnected before it had an answer. */
  clientGone?: true;
  /** The missing part, in a check of readiness. */
  missing?: string;
  /** As other programs name the trace in their logs. */
  readonly traceId: string;
  /** Only if the service was called: how often, and for how long in all, in ms. */
  upstreamCalls?: number;
  upstreamMs?: number;
}

/** Where a request comes from, as far as the server knows. */
export interface Peer {
  /** Its IP address. */
  address: string;
  /** Aborts when the client has disconnected; the request's own signal if not given. */
  signal?: () => AbortSignal;
  /** Ends its connection in the middle of an answer. */
  cutOff?: (() => void) | undefined;
  /** The place of the request in its trace; if not given, it begins one. */
  traceContext?: TraceContext | undefined;
}

export function startContext(
  request: Request,
  random: (bytes: number) => Uint8Array,
  { address, signal = () => request.signal, cutOff, traceContext: given }: Peer = { address: 'unknown' },
): HttpContext {
  const { method, headers } = request;
  const traceContext = given ?? startTrace(random);
  const logFields = { route: 'none', operation: null, staffId: null, traceId: traceContext.traceId };
  const requestId = toBase64url(random(12));
  const url = new URL(request.url);
  let made: AbortSignal | undefined;
  const signalOnce = () => (made ??= signal());
  return {
    request,
    method,
    headers,
    url,
    requestId,
    address,
    signal: signalOnce,
    cutOff,
    recheckAccess: openToAll,
    logFields,
    traceContext,
  };
}

/** A call to the service that a request makes for a user. */
export const callFor = ({ requestId, traceContext, signal }: RequestContext, { role }: { role: Role }) => ({
  role,
  requestId,
  traceContext,
  signal: signal(),
});

const openToAll = async () => null;
