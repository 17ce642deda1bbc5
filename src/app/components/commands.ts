/** An action that the palette finds by its name. */
export interface Command {
  name: string;
  /** The heading it is listed under. */
  about: string;
  run: () => void;
}

export type Commands = ReturnType<typeof createCommands>;

/** The commands that the parts of the page offer now. Each part replaces or withdraws its own. */
export function createCommands() {
  const offers = new Map<string, readonly Command[]>();
  let all: readonly Command[] = [];
  const listeners = new Set<() => void>();

  function change(): void {
    all = [...offers.values()].flat();
    for (const listener of listeners) listener();
  }

  return {
    list: () => all,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** @param by an id of the part that offers them */
    offer(by: string, commands: readonly Command[]): void {
      if (commands.length === 0 && !offers.has(by)) return;
      offers.set(by, commands);
      change();
    },
    withdraw(by: string): void {
      if (offers.delete(by)) change();
    },
  };
}
