/** The time of this tab, for the BFF, the service and the dashboard. */
export type Present = ReturnType<typeof installShiftedDate>;

/** Replaces the global `Date` by one whose current time can be moved; all other dates stay the same. */
export function installShiftedDate(ahead: number) {
  const RealDate = Date;
  const now = () => RealDate.now() + ahead;
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, given: unknown[], target) =>
      Reflect.construct(real, given.length === 0 ? [now()] : given, target) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (real, key, self) => (key === 'now' ? now : (Reflect.get(real, key, self) as unknown)),
  });
  return {
    /** Number of ms that it is ahead of the real time. */
    ahead: () => ahead,
    move(ms: number) {
      ahead += ms;
    },
  };
}
