import { useNow } from './now.ts';
import { localTime, relativeTime, utcOf } from './time.ts';

/** A time as its distance from now; the exact local and UTC time shows on hover and is read to screen readers. */
export function Moment({ at }: { at: number }) {
  const now = useNow();
  const exact = `${localTime(at)} (${utcOf(at)})`;
  return (
    <time dateTime={Number.isNaN(at) ? undefined : new Date(at).toISOString()} title={exact}>
      {relativeTime(at, now)}
      <span className="visually-hidden">, {exact}</span>
    </time>
  );
}
