/** The present of this tab, for the desk, the service and the dashboard alike. */
export interface Present {
  /** How far it is ahead of the real one, in ms. */
  ahead: () => number;
  move: (ms: number) => void;
}

/** Puts a `Date` in the place of the global one whose present can be moved; every other date is what it is. */
export function installShiftedDate(ahead: number): Present {
  const RealDate = Date;
  const now = () => RealDate.now() + ahead;
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, given: unknown[], target) =>
      Reflect.construct(real, given.length === 0 ? [now()] : given, target) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (real, key, self) => (key === 'now' ? now : (Reflect.get(real, key, self) as unknown)),
  });
  return {
    ahead: () => ahead,
    move(ms) {
      ahead += ms;
    },
  };
}
