import type { OperationInput } from '../../contract/api.ts';
import type { Role, StaffOperation } from '../../contract/permission.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** On whose behalf a call goes out, and what goes with it. */
export interface Errand {
  role: Role;
  requestId: string;
  /** The version that a change is meant for. */
  ifMatch: string | null;
}

export interface Caller {
  /**
   * Does an operation upstream; what it answers is the contract's, whatever the service speaks.
   *
   * @throws {Refusal} where the service gives no answer that can be used
   */
  call<N extends StaffOperation>(
    operation: N,
    input: OperationInput<N>,
    errand: Errand,
  ): Promise<UpstreamAnswer>;
  /** Whether a token can be had, as a sign that the service is there. @throws {Refusal} */
  checkToken(): Promise<void>;
}
