import type { OperationInput } from '../contract/service/api.ts';
import { changes as changeNames } from '../contract/bff/journal.ts';
import { may, type StaffOperation } from '../contract/bff/permission.ts';
import { staffApi } from '../contract/bff/staff-api.ts';
import { readInput } from '../contract/http/read-input.ts';
import type { BffDeps } from './deps.ts';
import type { Changes } from './journal/changes.ts';
import type { Order } from './journal/change-request.ts';
import type { KnownStatuses } from './upstream/known-statuses.ts';
import { toBrowserResponse } from './upstream/answer.ts';
import type { Caller } from './upstream/call.ts';
import type { Visit, Who } from './request-context.ts';

export interface Proxy {
  /** A browser's request for an operation, read by its row of the table, carried upstream and back. */
  forward(
    operation: StaffOperation,
    visit: Visit,
    who: Who,
    pathValues: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** An operation whose values are known. */
  carry<N extends StaffOperation>(
    operation: N,
    input: OperationInput<N>,
    visit: Visit,
    who: Who,
  ): Promise<Response>;
}

interface ProxyParts extends Pick<BffDeps, 'isJson'> {
  caller: Caller;
  changes: Changes;
  statuses: KnownStatuses;
}

/** Carries the operations of the endpoint table, and nothing else: it is no open proxy. Changes go by the journal. */
export function createProxy({ caller, changes, statuses, isJson }: ProxyParts): Proxy {
  const carry: Proxy['carry'] = async (operation, input, visit, who) => {
    if (isChange(operation)) {
      // An operation and its own input, which TypeScript does not follow through the generic.
      const order = { operation, input, undoOf: null } as unknown as Order;
      return changes.carry([operation, input], async () => order, visit, who);
    }
    const { requestId, context } = visit;
    const answer = await caller.call(operation, input, { role: who.role, requestId, context, ifMatch: null });
    if (operation === 'listStatuses') statuses.learn(answer);
    return toBrowserResponse(staffApi[operation], answer, {
      maskTokens: !may(who.role, 'seeAccessToken'),
      checkJson: isJson,
    });
  };
  return {
    carry,
    forward: async (operation, visit, who, pathValues) =>
      carry(operation, await readInput(staffApi[operation], visit.request, pathValues), visit, who),
  };
}

const isChange = (operation: StaffOperation) => changeNames.some((change) => change === operation);
