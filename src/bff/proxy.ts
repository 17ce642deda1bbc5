import type { OperationInput } from '../contract/api.ts';
import { may, staffApi, type StaffOperation } from '../contract/permission.ts';
import { readInput } from '../contract/read-input.ts';
import { carryBack } from './upstream/answer.ts';
import type { Caller } from './upstream/call.ts';
import type { Visit, Who } from './visit.ts';

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

/** Carries the operations of the endpoint table, and nothing else: it is no open proxy. */
export function createProxy(caller: Caller): Proxy {
  const carry: Proxy['carry'] = async (operation, input, { request, requestId }, { role }) => {
    const row = staffApi[operation];
    const ifMatch = row.method === 'GET' ? null : request.headers.get('If-Match');
    const answer = await caller.call(operation, input, { role, requestId, ifMatch });
    return carryBack(row, answer, { maskTokens: !may(role, 'seeAccessToken') });
  };
  return {
    carry,
    forward: async (operation, visit, who, pathValues) =>
      carry(operation, await readInput(staffApi[operation], visit.request, pathValues), visit, who),
  };
}
