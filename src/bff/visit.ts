import type { Role } from '../contract/permission.ts';

/** One request on its way through the desk. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  /** Names this request in the log, in every answer and upstream. */
  readonly requestId: string;
  /** The peer's IP address, as far as the host knows it. */
  readonly address: string;
  readonly trace: Trace;
}

/** What the log line will say; filled in on the way. */
export interface Trace {
  /** A path template of a table, or `*` for the dashboard's files. */
  route: string;
  /** The name of the table's row. */
  operation: string | null;
  staffId: string | null;
  /** Only where the service was called: how often, and for how many ms in all. */
  upstreamCalls?: number;
  upstreamMs?: number;
}

/** Who is signed in. */
export interface Who {
  /** Null in a tab, where the host says who is there and there are no accounts. */
  readonly staffId: string | null;
  readonly name: string;
  readonly role: Role;
  /** Until then nothing else is allowed: the password is one that somebody else has seen. */
  readonly mustChangePassword: boolean;
  /** Whether the OpenID provider signs the account in; it has no password here. */
  readonly singleSignOn: boolean;
}

export function startVisit(request: Request, requestId: string, address = 'unknown'): Visit {
  const trace = { route: 'none', operation: null, staffId: null };
  return { request, url: new URL(request.url), requestId, address, trace };
}
