import * as z from 'zod/mini';
import { isRecent } from '../../contract/http/recent.ts';
import { Status } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import { readJson } from './answer.ts';
import type { UpstreamAnswer } from './exchange.ts';

type Statuses = z.input<typeof Statuses>;

export interface KnownStatuses {
  /** The statuses as the service last answered them; undefined if that is too long ago. */
  get(): Statuses | undefined;
  /** Takes the statuses from an answer of listStatuses. */
  learn(answer: UpstreamAnswer): void;
}

/**
 * Remembers the statuses from answers to other requests, so that they can be part of the session and the first screen
 * needs no request for them. It sends nothing to the service itself.
 */
export function createKnownStatuses({ clock }: Pick<BffDeps, 'clock'>): KnownStatuses {
  let known: { statuses: Statuses; at: number } | null = null;
  return {
    get: () => (known && isRecent(known.at, clock(), keptFor) ? known.statuses : undefined),
    learn(answer) {
      const json = answer.status === 200 ? readJson(answer) : { ok: false as const };
      const read = json.ok ? Statuses.safeParse(json.value) : null;
      if (read?.success) known = { statuses: read.data, at: clock() };
    },
  };
}

const Statuses = z.array(Status);

/** How long the statuses are kept, in ms. */
const keptFor = 15 * 60 * 1000;
