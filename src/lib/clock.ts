/** Jump of the wall clock that is followed at once; else the time that it has to stay ahead. In ms. */
const [followed, believedAfter] = [60 * 60_000, 5 * 60_000];

/**
 * Creates a clock for a server, in ms since 1970. It goes on by the machine's steady clock, so it never goes back. It follows a
 * wall clock that is set forward by more than an hour only once that has lasted for five minutes: to one that is years
 * ahead for a minute, such as before a machine has synchronized its time, everything looks old enough to be deleted.
 *
 * @param wall what the machine says that time is, in ms since 1970
 * @param steady ms since any moment; nobody can set it
 */
export function createSteadyClock(wall: () => number, steady: () => number): () => number {
  let offset = wall() - steady();
  let aheadSince: number | null = null;
  return () => {
    const now = steady();
    const ahead = wall() - now - offset;
    if (ahead <= followed) aheadSince = null;
    else aheadSince ??= now;
    const isBelieved = aheadSince === null || now - aheadSince >= believedAfter;
    if (isBelieved) offset += Math.max(0, ahead);
    return Math.floor(now + offset);
  };
}
