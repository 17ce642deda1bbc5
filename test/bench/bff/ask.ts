import type { Child } from '../child.ts';
import type { Load, LoadResult } from '../load.ts';
import type { Subject } from './subjects.ts';

/** Asks a subject over so many connections for so many seconds. */
export type Ask = (subject: Subject, connections: number, seconds: number) => Promise<LoadResult>;

/** Each request has an address of its own, in all rounds. */
export function createAsk(load: Child, headers: Record<string, string>): Ask {
  let from = 0;
  return async ({ url }, connections, seconds) => {
    const result = await load.ask<LoadResult>({ url, headers, connections, seconds, from } satisfies Load);
    from += result.requests;
    return result;
  };
}

/** Requests until the engine has compiled what they take: a service runs for days, not for the first seconds. */
const warm = 40_000;

export async function warmUp(subject: Subject, ask: Ask): Promise<void> {
  for (let requests = 0; requests < warm;) requests += (await ask(subject, 16, 1)).requests;
}
