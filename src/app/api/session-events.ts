/** Why what is under way in somebody's name has to end: their session is over for now, or they signed out. */
export type Leaving = 'session-over' | 'signed-out';

const listeners = new Set<(why: Leaving) => void>();

/** Calls back whenever somebody is no longer there. Apart from what is under way, so that the first view is small. */
export function onLeaving(listener: (why: Leaving) => void): void {
  listeners.add(listener);
}

export function tellLeaving(why: Leaving): void {
  for (const listener of listeners) listener(why);
}
