import type { OperationInput } from '../../contract/service/api.ts';
import type { Role, StaffOperation } from '../../contract/bff/permission.ts';
import type { TraceContext } from '../request-context.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** The user's role, the headers and the limits of a call to the service. */
export interface CallContext {
  role: Role;
  requestId: string;
  /** The trace that the call is part of; a new one if not given. */
  traceContext?: TraceContext;
  /** The `If-Match` of a change; null for any version. */
  ifMatch: string | null;
  /** For a read: the record as it is now, never an answer that is shared with an earlier read. */
  fresh?: true;
  /** Ends a read that nobody waits for any more. */
  signal?: AbortSignal;
  /** How long the call may take, in ms, if that is less than usual. */
  atMost?: number;
  /** Called just before the request is sent. Until then the service cannot have changed anything. */
  onSend?: () => void;
}

export interface Caller {
  /**
   * Calls an operation of the service. The answer is in the contract's shape, whatever the service's own shape is.
   *
   * @throws {Refusal} if the service gives no usable answer
   */
  call<N extends StaffOperation>(
    operation: N,
    input: OperationInput<N>,
    context: CallContext,
  ): Promise<UpstreamAnswer>;
  /** Gets a token, to see whether the service answers. @throws {Refusal} if it gives none */
  checkToken(): Promise<void>;
}
