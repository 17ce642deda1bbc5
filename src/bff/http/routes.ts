import { masked } from '../../contract/bff/access-token.ts';
import { bffApi, proxiedApi } from '../../contract/bff/api.ts';
import { changes as changeNames } from '../../contract/bff/journal.ts';
import { apiBase } from '../../contract/bff/paths.ts';
import type { StaffOperation } from '../../contract/bff/permission.ts';
import { backChannel, navigations } from '../../contract/bff/single-sign-on.ts';
import { invalidField } from '../../contract/http/problem.ts';
import type { OperationInput } from '../../contract/service/api.ts';
import { createAccountSessionRoutes } from '../auth/account/change-account.ts';
import { createFactorRoutes, type FactorParts } from '../auth/account/factors.ts';
import {
  createAuthRoutes,
  createBackChannelRoutes,
  createNavigationRoutes,
  type AuthRouteParts,
} from '../auth/routes.ts';
import { createDraftRoutes, type Drafts } from '../drafts/drafts.ts';
import { createExportRoutes, type ExportRouteParts } from '../export/export.ts';
import { createImportRoutes } from '../imports/routes.ts';
import { createJobRoutes, type JobRouteParts } from '../jobs/routes.ts';
import type { Mac } from '../journal/chain.ts';
import type { ChangeRequest } from '../journal/change-request.ts';
import { createJournalRoutes, type AnswerChange, type JournalRouteParts } from '../journal/routes.ts';
import { createGetPreviousToken } from '../journal/previous-token.ts';
import { createRevealToken } from '../journal/events.ts';
import { createBundleRoutes } from '../bundles/bundles.ts';
import { createMessageRoutes, type Messages } from '../messages/messages.ts';
import { createOverviewRoutes, type OverviewRouteParts } from '../overview/overview.ts';
import { createRecentRoutes } from '../recent/recent.ts';
import { createScans, type ScanParts } from '../scans/scans.ts';
import { callFor, type RequestContext } from './context.ts';
import { Answer } from '../../contract/http/answer.ts';
import { implement, type Route } from './router.ts';
import { createStaffRoutes, type StaffRouteParts } from '../staff/routes.ts';
import type { Caller, ReplyTo } from '../upstream/call.ts';
import type { KnownStatuses } from '../upstream/known-statuses.ts';
import { createViewRoutes } from '../views/views.ts';
import type { CurrentUser } from '../current-user.ts';

type Parts = AuthRouteParts &
  FactorParts &
  StaffRouteParts &
  JournalRouteParts &
  JobRouteParts &
  ExportRouteParts &
  OverviewRouteParts &
  ScanParts &
  ProxyParts & {
    mac: Mac;
    drafts: Drafts;
    messages: Messages;
  };

/** All that the BFF answers under `/bff` and `/api`. Who may call a route is in its row of the table. */
export function createRoutes(parts: Parts): Route[] {
  const callService = createProxy(parts);
  const forward =
    <N extends keyof typeof proxiedApi>(operation: N) =>
    (input: OperationInput<N>, context: RequestContext, user: CurrentUser) => {
      refuseTokenInAddress(context.url);
      return callService(operation, input, context, user);
    };
  const scans = createScans(parts);
  const listSubscribers = forward('listSubscribers');
  return [
    ...implement(bffApi, {
      ...scans.routes,
      ...createAuthRoutes(parts),
      ...createAccountSessionRoutes(parts),
      ...createFactorRoutes(parts),
      ...createStaffRoutes(parts),
      ...createDraftRoutes(parts),
      ...createRecentRoutes(parts),
      ...createViewRoutes(parts.views),
      ...createMessageRoutes(parts.messages),
      ...createBundleRoutes(parts),
      ...createJournalRoutes(parts),
      ...createJobRoutes(parts),
      ...createImportRoutes(parts),
      ...createExportRoutes(parts),
      ...createOverviewRoutes(parts),
      revealToken: createRevealToken(parts),
      getPreviousToken: createGetPreviousToken(parts),
      getSubscriberByToken: ({ body: { accessToken, include } }, context, user) => {
        const query = include.length > 0 ? { include } : {};
        const input = { params: { accessToken }, query };
        return callService('getSubscriberByToken', input, context, user);
      },
    }),
    ...implement(
      proxiedApi,
      {
        async listSubscribers(input, context, user) {
          refuseTokenInAddress(context.url);
          const page = scans.list(input.query, context, user);
          return page ? new Answer(page, { body: writeMasked(page) }) : listSubscribers(input, context, user);
        },
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
    ...implement(backChannel, createBackChannelRoutes(parts.openId)),
  ];
}

/** The service takes a token in its query. Here it would end up in browser histories and logs. */
function refuseTokenInAddress({ searchParams }: URL): void {
  if (!searchParams.has('AccessToken')) return;
  const sentence = `An access token must not be in an address. Send it in the body to ${bffApi.getSubscriberByToken.path}.`;
  throw invalidField('AccessToken', sentence);
}

interface ProxyParts {
  caller: Caller;
  answerChange: AnswerChange;
  statuses: KnownStatuses;
}

/**
 * Does an operation of the service for the current user, and answers what the browser may see: the operations of the
 * service's table and nothing else, with access tokens masked. Changes go through the journal.
 */
function createProxy({ caller, answerChange, statuses }: ProxyParts) {
  return async <N extends StaffOperation>(
    operation: N,
    input: OperationInput<N>,
    context: RequestContext,
    user: CurrentUser,
  ): Promise<Answer<ReplyTo<N>['data']>> => {
    if (isChange(operation)) {
      // An operation, its own input and its own answer, which TypeScript does not follow through the generic.
      const change = { operation, input, undoOf: null } as unknown as ChangeRequest;
      const answer = await answerChange([operation, input], async () => change, context, user);
      return answer as Answer<ReplyTo<N>['data']>;
    }
    const reply = await caller.call(operation, input, callFor(context, user));
    const { data, etag } = reply;
    if (operation === 'listStatuses') statuses.learn(data as ReplyTo<'listStatuses'>['data']);
    return new Answer(data, {
      headers: etag === null ? {} : { ETag: etag },
      body: (reply.written ??= writeMasked(data)),
    });
  };
}

/** Writes what browsers may see of an answer. */
function writeMasked(data: ReplyTo<StaffOperation>['data']): string {
  const shown =
    'items' in data
      ? { ...data, items: data.items.map(masked) }
      : 'accessToken' in data
        ? masked(data)
        : data;
  return JSON.stringify(shown);
}

const isChange = (operation: StaffOperation) => changeNames.some((change) => change === operation);
