import { apiBase } from '../contract/desk.ts';
import { staffApi, staffOperations } from '../contract/permission.ts';
import type { Proxy } from './proxy.ts';
import type { Route } from './router.ts';

/** The service's operations as the desk offers them: same paths, a session in the place of the bearer token. */
export function createApiRoutes(proxy: Proxy): Route[] {
  return staffOperations
    .filter((operation) => operation !== 'getSubscriberByToken') // Its path would put a token into an address.
    .map((operation) => ({
      method: staffApi[operation].method,
      path: `${apiBase}${staffApi[operation].path}`,
      door: {
        operation,
        handle: (visit, who, values) => proxy.forward(operation, visit, who, values),
      },
    }));
}
