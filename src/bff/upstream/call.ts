import type { Bundle } from '../../contract/bff/bundle.ts';
import type { Role, UpstreamOperation } from '../../contract/bff/permission.ts';
import type { Reply } from '../../contract/http/client.ts';
import type { OutputOf } from '../../contract/http/endpoint.ts';
import type { Api, OperationInput } from '../../contract/service/api.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { TraceContext } from '../../lib/trace-context.ts';

/** The user's role, the headers and the limits of a call to the service. */
export interface CallContext {
  role: Role;
  requestId: string;
  /** The trace that the call is part of; a new one if not given. */
  traceContext?: TraceContext;
  /** The `If-Match` of a change; any version if not given. */
  ifMatch?: string | null;
  /** The record before a change, for a service that answers less than all of it. */
  before?: SubscriberDetail | undefined;
  /** For a read: the record as it is now, never an answer that is shared with an earlier read. */
  fresh?: true;
  /** Ends a read that nobody waits for any more. */
  signal?: AbortSignal;
  /** Most time for the call, in ms, if that is less than usual. */
  atMost?: number;
  /** Called just before the request is sent. Until then the service cannot have changed anything. */
  onSend?: () => void;
}

/** The service's answer to an operation, in the contract's shape, and its `ETag` if it has one. */
export type ReplyTo<N extends UpstreamOperation> = Reply<OutputOf<Api[N]>> & {
  /** The data as browsers get it, once somebody has written it: for all who share the reply. */
  written?: string;
  /** True if at least a part was read after a change, perhaps from a server that does not know of the change yet. */
  isReadAfter?: true;
  /** True if a deletion was answered in words of the service's own, which may say that nothing was deleted. */
  isUnclear?: true;
};

export type Operations = {
  [N in UpstreamOperation]: (input: OperationInput<N>, context: CallContext) => Promise<ReplyTo<N>>;
};

/** The same caller with other ways to call some operations. */
export const withOperations = (caller: Caller, operations: Partial<Operations>): Caller => ({
  ...caller,
  call: (operation, input, context) =>
    operations[operation]?.(input, context) ?? caller.call(operation, input, context),
});

export interface Caller {
  /**
   * Calls an operation of the service.
   *
   * @throws {Problem} if the service refuses it (`RefusedByService`), or gives no usable answer
   */
  call<N extends UpstreamOperation>(
    operation: N,
    input: OperationInput<N>,
    context: CallContext,
  ): Promise<ReplyTo<N>>;
  /** Asks the service for its bundles; null if it names none. @throws {Problem} as `call` */
  listBundles: ((context: CallContext) => Promise<Bundle[]>) | null;
  /** Gets a token, to see whether the service answers. @throws {Problem} if it gives none */
  checkToken(): Promise<void>;
}
