/** Jump of the wall clock that is followed; else the time that it has to stay ahead. In ms. */
const [followed, believedAfter] = [60 * 60_000, 5 * 60_000];

/** Part of the time by which it goes slower while it is ahead. */
const slower = 0.1;

/**
 * Creates a clock for a server, in ms since 1970. It goes on by the machine's steady clock, so it never goes back; while the wall
 * clock is up to an hour behind, it goes slower. Else a server that started before its machine had synchronized its time would
 * differ from others for as long as it runs. It follows a wall clock that is set forward by more than an hour only once that has
 * lasted for five minutes: to one that is years ahead for a minute, everything looks old enough to be deleted.
 *
 * @param wall what the machine says that time is, in ms since 1970
 * @param steady ms since any moment; nobody can set it
 */
export function createSteadyClock(wall: () => number, steady: () => number): () => number {
  let offset = wall() - steady();
  let aheadSince: number | null = null;
  let last = steady();
  return () => {
    const now = steady();
    const ahead = wall() - now - offset;
    if (ahead <= followed) aheadSince = null;
    else aheadSince ??= now;
    const isBelieved = aheadSince === null || now - aheadSince >= believedAfter;
    if (isBelieved) offset += Math.max(0, ahead);
    if (ahead < 0 && ahead >= -followed) offset -= Math.min(-ahead, (now - last) * slower);
    last = now;
    return Math.floor(now + offset);
  };
}
