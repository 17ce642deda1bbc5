import type { Upstream } from '../bff/bff.ts';
import { createOutgoing } from './http/outgoing.ts';
import type { UpstreamConfig } from './config/upstream-config.ts';

/** A service elsewhere, as the BFF wants it. It has the extensions that its dialect declares, else none. */
export function reachService(config: UpstreamConfig): { upstream: Upstream; close: () => Promise<void> } {
  const { url, clientId, clientSecret, scopes, dialect } = config;
  const { exchange, close } = createOutgoing(url);
  const extensions = dialect?.extensions ?? [];
  const upstream = { exchange, baseUrl: url, clientId, clientSecret, scopes, extensions };
  return { upstream: dialect ? { ...upstream, dialect } : upstream, close };
}
