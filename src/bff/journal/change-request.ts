import type { OperationInput } from '../../contract/service/api.ts';
import type { Change } from '../../contract/bff/journal.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { Caller, CallContext } from '../upstream/call.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';
import { createMac, type Mac } from './mac.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestContext, CurrentUser } from '../request-context.ts';
import type { Once } from './once.ts';

/** A change that somebody wants, as the service takes it. */
export type Order = {
  [N in Change]: {
    operation: N;
    input: OperationInput<N>;
    /** The entry that it takes back. */
    undoOf: string | null;
    /** Looks at the record as it is, again whenever it has to be read anew. @throws {Refusal} where that stands in the way */
    check?: (now: SubscriberDetail | null) => Promise<void>;
  };
}[Change];

/** One order on its way, with who sent it and how. */
export interface Trip {
  order: Order;
  context: RequestContext;
  user: CurrentUser;
  reason: string | null;
  once: Once | null;
  /** When it has to be answered, in ms since 1970; waiting for others is not counted. */
  deadline: number;
}

/** What the journal needs of the place and of the desk. */
export interface JournalParts extends Pick<BffDeps, 'db' | 'clock' | 'random' | 'log'> {
  caller: Caller;
  mac: Mac;
  wait: (ms: number) => Promise<void>;
}

export function createJournalParts(
  deps: Omit<JournalParts, 'mac' | 'wait'> & Pick<BffDeps, 'wait' | 'journalKey'>,
): JournalParts {
  const wait = deps.wait ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
  return { ...deps, wait, mac: createMac(deps.journalKey) };
}

export function placeOrder(caller: Caller, order: Order, context: CallContext): Promise<UpstreamAnswer> {
  // Each operation has its own input in an order, which TypeScript does not follow through the union.
  const { call } = caller as unknown as {
    call: (operation: Change, input: Order['input'], context: CallContext) => Promise<UpstreamAnswer>;
  };
  return call(order.operation, order.input, context);
}

/** Changes with the same key wait for each other: those of a subscriber, or creations of the same username. */
export function lockOf({ operation, input }: Order): string {
  return operation === 'createSubscriber' ? `u:${input.body.username.toLowerCase()}` : `s:${input.params.id}`;
}

/** Who it was, also where nobody has an account. */
export const staffIdOf = ({ staffId }: CurrentUser): string => staffId ?? 'tab';
