import type { Role } from '../contract/permission.ts';

/** One request on its way through the desk. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  /** Names this request in the log, in every answer and upstream. */
  readonly requestId: string;
  /** The peer's IP address, as far as the host knows it. */
  readonly address: string;
  /** What the log line will say; filled in on the way. */
  readonly trace: { route: string; staffId: string | null };
}

/** Who is signed in. */
export interface Who {
  /** Null in a tab, where the host says who is there and there are no accounts. */
  readonly staffId: string | null;
  readonly name: string;
  readonly role: Role;
  /** Until then nothing else is allowed: the password is one that somebody else has seen. */
  readonly mustChangePassword: boolean;
}

export function startVisit(request: Request, requestId: string, address = 'unknown'): Visit {
  const trace = { route: 'none', staffId: null };
  return { request, url: new URL(request.url), requestId, address, trace };
}
