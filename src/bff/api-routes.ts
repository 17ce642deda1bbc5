import { apiBase } from '../contract/bff/paths.ts';
import { bffApi } from '../contract/bff/api.ts';
import { staffApi, staffOperations } from '../contract/bff/staff-api.ts';
import { Refusal } from '../contract/http/refusal.ts';
import type { Proxy } from './proxy.ts';
import type { Route } from './router.ts';

/** The service's operations as the desk offers them: same paths, a session in the place of the bearer token. */
export function createApiRoutes(proxy: Proxy): Route[] {
  return staffOperations
    .filter((operation) => operation !== 'getSubscriberByToken') // Its path would put a token into an address.
    .map((operation) => ({
      method: staffApi[operation].method,
      path: `${apiBase}${staffApi[operation].path}`,
      operation,
      door: {
        permission: operation,
        handle: (context, user, values) => {
          refuseTokenInAddress(context.url);
          return proxy.forward(operation, context, user, values);
        },
      },
    }));
}

/** The service can be asked for a token in its query; here it would come to stand in histories and in logs. */
function refuseTokenInAddress({ searchParams }: URL): void {
  if (!searchParams.has('AccessToken')) return;
  const sentence = `An access token must not stand in an address. Send it to ${bffApi.findByToken.path} in a body.`;
  throw new Refusal('invalid-input', sentence, { errors: { AccessToken: [sentence] } });
}
