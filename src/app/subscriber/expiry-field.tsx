import type { Ref } from 'react';
import { useNow } from '../components/app-context.ts';
import { localDay, utcOf } from '../components/exact-time.tsx';
import { TextField } from '../components/field.tsx';
import { relativeTime } from '../components/format.ts';

export const enterDate = 'Enter a date and time.';

/** The time of expiry in the user's time zone; its UTC time, where that differs, and its distance from now below. */
export function ExpiryField(props: {
  label: string;
  /** In UTC; empty if it is no time. */
  value: string;
  onChange: (expiresAt: string) => void;
  onBlur?: (() => void) | undefined;
  error: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}) {
  const { value, onChange, error, inputRef, ...field } = props;
  const now = useNow();
  const at = Date.parse(value);
  const known = !Number.isNaN(at);
  const distance = known && [utcOf(at), relativeTime(at, now)].filter(Boolean).join(' · ');
  return (
    <TextField
      {...field}
      // The contract's sentence is about time zones, which this input does not have.
      error={error && (known ? error : enterDate)}
      hint={
        at <= now ? (
          <span className="warning">In the past: {distance}</span>
        ) : (
          distance || 'In your time zone.'
        )
      }
      ref={inputRef}
      type="datetime-local"
      max="9999-12-31T23:59"
      value={toLocalInput(value)}
      onChange={(local) => onChange(fromLocalInput(local))}
    />
  );
}

const twoDigits = (part: number) => String(part).padStart(2, '0');

/** An instant as the value of `<input type="datetime-local">`, in the browser's zone; empty if it is no time. */
export function toLocalInput(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return `${localDay(at.getTime())}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** The instant of a local date and time, in UTC; empty if it is no time. */
export function fromLocalInput(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
