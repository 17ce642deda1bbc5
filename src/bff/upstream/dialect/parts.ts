import type { Caller, Errand } from '../call.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import type { Dialect } from './shape.ts';

/** What operations of more than one call are made of. */
export interface Parts {
  dialect: Dialect;
  /** A call whose answer is in the contract's shape. */
  spoken: Caller['call'];
  /** A subscriber with all lists, as it is now. */
  read: (id: number, errand: Errand) => Promise<UpstreamAnswer>;
}
