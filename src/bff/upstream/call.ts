import type { OperationInput } from '../../contract/service/api.ts';
import type { Role, StaffOperation } from '../../contract/bff/permission.ts';
import type { TraceContext } from '../request-context.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** For whom a call goes out, and what goes with it. */
export interface CallContext {
  role: Role;
  requestId: string;
  /** The trace that the call is part of; a new one unless given. */
  traceContext?: TraceContext;
  /** The version that a change is meant for. */
  ifMatch: string | null;
  /** For a read: the record as it is now, never an answer shared with a read that began earlier. */
  fresh?: true;
  /** Gives a read up: when nobody waits for it any more. */
  signal?: AbortSignal;
  /** The longest that it may take, in ms, where that is less than usual. */
  atMost?: number;
  /** Called before the request itself goes out; until then nothing can have been done. */
  onSend?: () => void;
}

export interface Caller {
  /**
   * Does an operation upstream; the answer is in the contract's shape, whatever the service's own is.
   *
   * @throws {Refusal} where the service gives no answer that can be used
   */
  call<N extends StaffOperation>(
    operation: N,
    input: OperationInput<N>,
    context: CallContext,
  ): Promise<UpstreamAnswer>;
  /** Gets a token, as a sign that the service is there. @throws {Refusal} where it gives none */
  checkToken(): Promise<void>;
}
