import { problems } from '../../contract/http/problem-answer.ts';
import { type Refusal } from '../../contract/http/refusal.ts';

/** The last exchange with the service, as far as it went. */
export interface Exchange {
  status?: number | undefined;
  /** Whether it was about the desk's own token. */
  forToken?: boolean;
  /** `ECONNREFUSED` and the like; never a text of the service's. */
  reason?: string | undefined;
}

/** What is behind a refusal, and what to do about it, for whoever set the desk up. */
export function reasonFor(refusal: Refusal, { status = 0, forToken = false, reason }: Exchange): string {
  if (reason !== undefined)
    return reasons[reason] ?? `${problems[refusal.code][1]} (${reason}). Check UPSTREAM_URL.`;
  // After an answer that says "done", the refusal itself knows what was wrong with it.
  if (status < 300 || status === 422) return refusal.message;
  return `It answered ${status}. ${hintFor(status, forToken)}`;
}

function hintFor(status: number, forToken: boolean): string {
  if (status === 401 && forToken) return 'Check UPSTREAM_CLIENT_ID and UPSTREAM_CLIENT_SECRET.';
  if (status === 400 && forToken) return 'Check UPSTREAM_SCOPE_READ and UPSTREAM_SCOPE_WRITE.';
  if (status === 401 || status === 403) return 'It does not accept its own token for this: check the scopes.';
  if (status === 404 || status === 405) return 'Check UPSTREAM_URL, and the paths in UPSTREAM_DIALECT.';
  if (status >= 300 && status < 400) return 'Redirects are not followed: set UPSTREAM_URL to where it leads.';
  return status >= 500 || status === 429
    ? 'Try again later, or ask whoever runs it.'
    : 'Check UPSTREAM_DIALECT.';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody listens there. Check the host and port of UPSTREAM_URL.',
  ENOTFOUND: 'There is no host of this name. Check UPSTREAM_URL.',
  EAI_AGAIN: 'The name of the host cannot be looked up just now. Check UPSTREAM_URL and the network.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection came about in time. Check UPSTREAM_URL and the firewall.',
  NOT_HTTP: 'What answers there does not speak HTTP. Check the port and https:// or http:// of UPSTREAM_URL.',
};
