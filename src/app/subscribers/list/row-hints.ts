import type { Status, Subscriber } from '../../../contract/service/subscriber.ts';
import { exactTime } from '../../components/exact-time.ts';
import { nameOfStatus } from '../fields/status-badge.tsx';
import { describeCanWatch } from '../fields/can-watch.ts';

/** What cells say beyond what they show, by the name of their column. */
export interface RowHints {
  status: string;
  expires: string;
}

/** What the pane says: whether they can watch, and when exactly it ends. */
export function hintsOf(
  subscriber: Subscriber,
  { now, statuses }: { now: number; statuses: readonly Status[] | undefined },
): RowHints {
  return {
    status: describeCanWatch(subscriber, nameOfStatus(subscriber.status, statuses), now).sentence,
    expires: exactTime(Date.parse(subscriber.expiresAt)),
  };
}
