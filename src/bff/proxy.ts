import { changes as changeNames } from '../contract/bff/journal.ts';
import { may, type StaffOperation } from '../contract/bff/permission.ts';
import { api, type OperationInput } from '../contract/service/api.ts';
import type { BffDeps } from './deps.ts';
import type { ChangeRequest } from './journal/change-request.ts';
import type { Journal } from './journal/journal.ts';
import type { CurrentUser, RequestContext } from './request-context.ts';
import { toBrowserResponse } from './upstream/answer.ts';
import type { Caller } from './upstream/call.ts';
import type { KnownStatuses } from './upstream/known-statuses.ts';

export interface Proxy {
  /** Does an operation of the service for the current user, and answers what the browser may see. */
  call<N extends StaffOperation>(
    operation: N,
    input: OperationInput<N>,
    context: RequestContext,
    user: CurrentUser,
  ): Promise<Response>;
}

interface ProxyParts extends Pick<BffDeps, 'isJson'> {
  caller: Caller;
  journal: Journal;
  statuses: KnownStatuses;
}

/** Forwards the operations of the service's table and nothing else. Changes go through the journal. */
export function createProxy({ caller, journal, statuses, isJson }: ProxyParts): Proxy {
  return {
    async call(operation, input, context, user) {
      if (isChange(operation)) {
        // An operation and its own input, which TypeScript does not follow through the generic.
        const change = { operation, input, undoOf: null } as unknown as ChangeRequest;
        return journal.doChange([operation, input], async () => change, context, user);
      }
      const { requestId, traceContext } = context;
      const answer = await caller.call(operation, input, {
        role: user.role,
        requestId,
        traceContext,
        ifMatch: null,
      });
      if (operation === 'listStatuses') statuses.learn(answer);
      return toBrowserResponse(api[operation], answer, {
        maskTokens: !may(user.role, 'seeAccessToken'),
        checkJson: isJson,
      });
    },
  };
}

const isChange = (operation: StaffOperation) => changeNames.some((change) => change === operation);
