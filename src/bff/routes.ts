import { bffApi, proxiedApi } from '../contract/bff/api.ts';
import { apiBase } from '../contract/bff/paths.ts';
import { navigations } from '../contract/bff/single-sign-on.ts';
import { Refusal } from '../contract/http/refusal.ts';
import type { OperationInput } from '../contract/service/api.ts';
import { createAuthRoutes, createNavigationRoutes, type AuthRouteParts } from './auth/routes.ts';
import { createDraftRoutes, type Drafts } from './drafts/drafts.ts';
import { createJournalRoutes, type JournalRouteParts } from './journal/journal.ts';
import type { Proxy } from './proxy.ts';
import type { CurrentUser, RequestContext } from './request-context.ts';
import { implement, type Route } from './router.ts';
import { createStaffRoutes, type StaffRouteParts } from './staff/routes.ts';
import { createViewRoutes } from './views/views.ts';

type Parts = AuthRouteParts & StaffRouteParts & JournalRouteParts & { drafts: Drafts; proxy: Proxy };

/** All that the BFF answers under `/bff` and `/api`. Who may call a route is in its row of the table. */
export function createRoutes(parts: Parts): Route[] {
  const { proxy } = parts;
  const forward =
    <N extends keyof typeof proxiedApi>(operation: N) =>
    (input: OperationInput<N>, context: RequestContext, user: CurrentUser) => {
      refuseTokenInAddress(context.url);
      return proxy.call(operation, input, context, user);
    };
  return [
    ...implement(bffApi, {
      ...createAuthRoutes(parts),
      ...createStaffRoutes(parts),
      ...createDraftRoutes(parts.drafts),
      ...createViewRoutes(parts.views),
      ...createJournalRoutes(parts),
      getSubscriberByToken: ({ body: { accessToken, include } }, context, user) => {
        const query = include.length > 0 ? { include } : {};
        return proxy.call('getSubscriberByToken', { params: { accessToken }, query }, context, user);
      },
    }),
    ...implement(
      proxiedApi,
      {
        listSubscribers: forward('listSubscribers'),
        getSubscriber: forward('getSubscriber'),
        createSubscriber: forward('createSubscriber'),
        updateSubscriber: forward('updateSubscriber'),
        deleteSubscriber: forward('deleteSubscriber'),
        regenerateToken: forward('regenerateToken'),
        listStatuses: forward('listStatuses'),
      },
      apiBase,
    ),
    ...implement(navigations, createNavigationRoutes(parts.openId)),
  ];
}

/** The service takes a token in its query; here it would end up in browser histories and in logs. */
function refuseTokenInAddress({ searchParams }: URL): void {
  if (!searchParams.has('AccessToken')) return;
  const sentence = `An access token must not be in an address. Send it to ${bffApi.getSubscriberByToken.path} in a body.`;
  throw new Refusal('invalid-input', sentence, { errors: { AccessToken: [sentence] } });
}
