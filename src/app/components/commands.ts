import { useEffect, useRef, useState, type RefObject } from 'react';

/** Something that a person can have done by its name. */
export interface Command {
  name: string;
  /** Where what it is about stands, for the group it is listed in. */
  about: string;
  run: () => void;
}

const offers = new Set<RefObject<readonly Command[]>>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Offers what this part of the page does to the palette, as long as it is there. Only what may be done now. */
export function useCommands(commands: readonly (Command | false)[]): void {
  const own = useRef<readonly Command[]>([]);
  useEffect(() => {
    own.current = commands.filter((command) => command !== false);
    tell();
  });
  useEffect(() => {
    offers.add(own);
    tell();
    return () => {
      offers.delete(own);
      tell();
    };
  }, []);
}

/** What the parts of the page that are there offer, also as that changes. */
export function useOfferedCommands(): readonly Command[] {
  const [offered, setOffered] = useState(offeredCommands);
  useEffect(() => {
    const look = () => setOffered(offeredCommands());
    look();
    listeners.add(look);
    return () => void listeners.delete(look);
  }, []);
  return offered;
}

const offeredCommands = (): readonly Command[] => [...offers].flatMap(({ current }) => current);
