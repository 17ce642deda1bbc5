import { useEffect, useRef, type RefObject } from 'react';

/** Something that a person can have done by its name. */
export interface Command {
  name: string;
  /** Where what it is about stands, for the group it is listed in. */
  about: string;
  run: () => void;
}

const offers = new Set<RefObject<readonly Command[]>>();

/** Offers what this part of the page does to the palette, as long as it is there. Only what may be done now. */
export function useCommands(commands: readonly (Command | false)[]): void {
  const own = useRef<readonly Command[]>([]);
  useEffect(() => {
    own.current = commands.filter((command) => command !== false);
  });
  useEffect(() => {
    offers.add(own);
    return () => void offers.delete(own);
  }, []);
}

/** What the parts of the page that are there offer at this moment. */
export const offeredCommands = (): readonly Command[] => [...offers].flatMap(({ current }) => current);
