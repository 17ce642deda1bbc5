import { Refusal } from '../../contract/http/refusal.ts';
import { navigations, type NavigationName } from '../../contract/bff/single-sign-on.ts';
import type { Route } from '../router.ts';
import type { OpenIdSignIn } from './openid.ts';
import type { RequestContext } from '../request-context.ts';

/** The addresses that a browser goes to by itself; without a provider there is nothing at them. */
export function createNavigationRoutes(openId: OpenIdSignIn | null): Route[] {
  const handlers: Record<NavigationName, (context: RequestContext) => Promise<Response>> = {
    startSingleSignOn: (context) => (openId ?? nowhere()).start(context),
    finishSingleSignOn: (context) => (openId ?? nowhere()).finish(context),
  };
  return Object.entries(navigations).map(([name, { method, path }]) => ({
    method,
    path,
    operation: name,
    // Object.entries forgets that the names are those of the table.
    door: { open: true, handle: async (context) => handlers[name as NavigationName](context) },
  }));
}

function nowhere(): never {
  throw new Refusal(
    'no-such-address',
    'There is no single sign-on here. Sign in with a name and a password.',
  );
}
