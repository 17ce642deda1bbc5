import type { Upstream } from '../bff/bff.ts';
import { createOutgoing } from './outgoing.ts';
import type { UpstreamConfig } from './upstream-config.ts';

/** A service elsewhere, as the BFF wants it. It is only believed to have the extensions that its dialect declares. */
export function reachService(config: UpstreamConfig): { upstream: Upstream; close: () => Promise<void> } {
  const { url, clientId, clientSecret, scopes } = config;
  const { fetch, close } = createOutgoing(url);
  return { upstream: { fetch, baseUrl: url, clientId, clientSecret, scopes, extensions: [] }, close };
}
