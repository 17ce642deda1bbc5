import type { OperationInput } from '../../contract/service/api.ts';
import type { Role, StaffOperation } from '../../contract/bff/permission.ts';
import type { TraceContext } from '../middleware/trace-context.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** On whose behalf a call goes out, and what goes with it. */
export interface Errand {
  role: Role;
  requestId: string;
  /** The trace that it is part of; one of its own unless given. */
  context?: TraceContext;
  /** The version that a change is meant for. */
  ifMatch: string | null;
  /** For a read: the record as it is now, not as one under way already may show it. */
  fresh?: true;
  /** The longest that it may take, in ms, where that is less than usual. */
  atMost?: number;
  /** Told before the request itself goes out; until then nothing can have been done. */
  onSend?: () => void;
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
