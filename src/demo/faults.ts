import type { UpstreamExchange } from '../bff/upstream/exchange.ts';
import { changeHeaders } from '../contract/http/change-headers.ts';
import { apiBase } from '../contract/bff/paths.ts';
import type { Fault } from './settings.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface Switches {
  isOn: (fault: Fault) => boolean;
  turnOff: (fault: Fault) => void;
}

/** In ms. */
const slowness = 2000;

/**
 * What goes wrong between the page and the desk: answers that are late or lost, a session that is over, a colleague who
 * was faster.
 */
export function troublePage(
  desk: Fetch,
  place: Switches & {
    wait: (ms: number) => Promise<void>;
    endSession: () => Promise<void>;
    /** Has a colleague save a subscriber. */
    editMeanwhile: (id: number) => Promise<void>;
  },
): Fetch {
  const { isOn, turnOff, wait, endSession, editMeanwhile } = place;
  // A colleague is faster once; whoever merges and saves again gets through. So does a change that is sent again.
  const edited = createTurns();
  const lost = createTurns();
  return async (request) => {
    if (isOn('session-ends')) {
      turnOff('session-ends');
      await endSession();
    }
    const id = savedSubscriber(request);
    if (id !== null && isOn('edits-meanwhile') && edited.isFirst(String(id))) await editMeanwhile(id);
    const key = request.headers.get(changeHeaders.key);
    const answer = await desk(request);
    if (isOn('slow')) await wait(slowness);
    return key !== null && isOn('lost-answers') && lost.isFirst(key) ? Response.error() : answer;
  };
}

/** What goes wrong between the desk and the service: it refuses some calls, or all, before it has done anything. */
export function troubleService(
  exchange: UpstreamExchange,
  { isOn, chance }: Pick<Switches, 'isOn'> & { /** From 0, below 1. */ chance: () => number },
): UpstreamExchange {
  return async (request) => {
    if (isOn('down') || (isOn('flaky') && chance() < 1 / 3))
      throw new Error('The service refuses to connect.');
    return exchange(request);
  };
}

/** The id in the address of a save. */
function savedSubscriber({ method, url }: Request): number | null {
  const [, id] = new RegExp(`^${apiBase}/subscribers/(\\d+)$`).exec(new URL(url).pathname) ?? [];
  return method === 'PUT' && id !== undefined ? Number(id) : null;
}

/** Tells every first time of a name from the second that follows it. */
function createTurns() {
  const met = new Set<string>();
  return {
    isFirst(name: string): boolean {
      if (met.delete(name)) return false;
      met.add(name);
      return true;
    },
  };
}
