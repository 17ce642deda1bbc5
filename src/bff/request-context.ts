import type { Role } from '../contract/bff/permission.ts';
import type { BffDeps } from './deps.ts';
import { toBase64url } from '../contract/http/crypto.ts';
import { readTraceContext, type TraceContext } from './middleware/trace-context.ts';

/** One request on its way through the desk. */
export interface RequestContext {
  readonly request: Request;
  readonly url: URL;
  /** Names this request in the log, in every answer and upstream. */
  readonly requestId: string;
  /** The peer's IP address, as far as the host knows it. */
  readonly address: string;
  readonly trace: Trace;
  /** What it is part of, beyond the desk. */
  readonly traceContext: TraceContext;
}

/** What the log line will say; filled in on the way. */
export interface Trace {
  /** A path template of a table, or `*` for the dashboard's files. */
  route: string;
  /** The name of the table's row. */
  operation: string | null;
  staffId: string | null;
  /** As other programs on the way name it in theirs. */
  readonly traceId: string;
  /** Only where the service was called: how often, and for how many ms in all. */
  upstreamCalls?: number;
  upstreamMs?: number;
}

/** Who is signed in. */
export interface CurrentUser {
  /** Null in a tab, where the host says who is there and there are no accounts. */
  readonly staffId: string | null;
  readonly name: string;
  readonly role: Role;
  /** Until then nothing else is allowed: the password is one that somebody else has seen. */
  readonly mustChangePassword: boolean;
  /** Whether the OpenID provider signs the account in; it has no password here. */
  readonly singleSignOn: boolean;
}

export function startContext(
  request: Request,
  random: BffDeps['random'],
  address = 'unknown',
): RequestContext {
  const traceContext = readTraceContext(request, random);
  const trace = { route: 'none', operation: null, staffId: null, traceId: traceContext.traceId };
  const requestId = toBase64url(random(12));
  return { request, url: new URL(request.url), requestId, address, trace, traceContext };
}
