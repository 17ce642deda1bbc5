/** An action that the palette finds by its name. */
export interface Command {
  name: string;
  /** The heading it is listed under. */
  about: string;
  run: () => void;
}

export type Commands = ReturnType<typeof createCommands>;

/** The commands that the parts of the page offer now. */
export function createCommands() {
  const offers = new Set<readonly Command[]>();
  let all: readonly Command[] = [];
  const listeners = new Set<() => void>();

  function change(): void {
    all = [...offers].flat();
    for (const listener of listeners) listener();
  }

  return {
    list: () => all,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** @returns a function that withdraws them */
    offer(commands: readonly Command[]): () => void {
      offers.add(commands);
      change();
      return () => {
        offers.delete(commands);
        change();
      };
    },
  };
}
