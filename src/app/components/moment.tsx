import { useNow } from './app-context.ts';
import { relativeTime } from './time.ts';
import { exactTime } from './exact-time.ts';

/**
 * A time as its distance from now; the exact local and UTC time shows on hover and is read to screen readers.
 *
 * @param past it has been, so that a clock that is behind does not put it into the future
 */
export function Moment({ at, past = false }: { at: number; past?: boolean }) {
  const now = useNow();
  const exact = exactTime(at);
  return (
    <time dateTime={Number.isNaN(at) ? undefined : new Date(at).toISOString()} title={exact}>
      {relativeTime(at, past ? Math.max(now, at) : now)}
      <span className="visually-hidden">, {exact}</span>
    </time>
  );
}
