import type { OperationInput } from '../contract/service/api.ts';
import { changes as changeNames } from '../contract/bff/journal.ts';
import { may, type StaffOperation } from '../contract/bff/permission.ts';
import { staffApi } from '../contract/bff/staff-api.ts';
import { readInput } from '../contract/http/read-input.ts';
import type { BffDeps } from './deps.ts';
import type { ChangeRequest } from './journal/change-request.ts';
import type { Journal } from './journal/journal.ts';
import type { KnownStatuses } from './upstream/known-statuses.ts';
import { toBrowserResponse } from './upstream/answer.ts';
import type { Caller } from './upstream/call.ts';
import type { RequestContext, CurrentUser } from './request-context.ts';

export interface Proxy {
  /** A browser's request for an operation, read by its row of the table, carried upstream and back. */
  forward(
    operation: StaffOperation,
    context: RequestContext,
    user: CurrentUser,
    pathValues: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** An operation whose values are known. */
  carry<N extends StaffOperation>(
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

/** Carries the operations of the endpoint table, and nothing else: it is no open proxy. Changes go by the journal. */
export function createProxy({ caller, journal, statuses, isJson }: ProxyParts): Proxy {
  const carry: Proxy['carry'] = async (operation, input, context, user) => {
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
    return toBrowserResponse(staffApi[operation], answer, {
      maskTokens: !may(user.role, 'seeAccessToken'),
      checkJson: isJson,
    });
  };
  return {
    carry,
    forward: async (operation, context, user, pathValues) =>
      carry(operation, await readInput(staffApi[operation], context.request, pathValues), context, user),
  };
}

const isChange = (operation: StaffOperation) => changeNames.some((change) => change === operation);
