import { useController, type Control } from 'react-hook-form';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { Field, inputClass } from '../../components/field.tsx';
import { useNow } from '../../components/app-context.ts';
import { dayOf, relativeTime } from '../../components/time.ts';
import { utcOf } from '../../components/exact-time.ts';
import { extend, extensions } from '../fields/expiry.ts';
import { isExpired } from '../fields/is-expired.ts';
import { fieldLabels } from '../fields/field-labels.ts';
import { fromLocalInput, toLocalInput } from './local-date-time.ts';
import styles from './expiry-field.module.css';

/** The expiry in the staff member's own zone, with its UTC time, and the steps that callers ask for. */
export function ExpiryField({ control }: { control: Control<SubscriberInput> }) {
  const now = useNow();
  const { field, fieldState } = useController({ control, name: 'expiresAt' });
  const at = Date.parse(field.value);
  const known = !Number.isNaN(at);
  // The contract's sentence speaks of zones, which this input has not.
  const error = fieldState.error && (known ? fieldState.error.message : 'Enter a date and a time.');
  return (
    <div className={styles.expiry}>
      <Field
        label={fieldLabels.expiresAt}
        error={error}
        warning={
          known && isExpired(field.value, now)
            ? 'This is in the past: the subscriber counts as expired.'
            : undefined
        }
        hint={known ? `${utcOf(at)} · ${relativeTime(at, now)}` : 'In your time zone.'}
      >
        {(parts) => (
          <input
            {...parts}
            ref={field.ref}
            className={inputClass}
            type="datetime-local"
            max="9999-12-31T23:59"
            value={toLocalInput(field.value)}
            onBlur={field.onBlur}
            onChange={(event) => field.onChange(fromLocalInput(event.target.value))}
          />
        )}
      </Field>
      <div className={styles.steps} role="group" aria-label="Extend">
        {extensions.map((extension) => {
          const next = extend(at, extension, now);
          return (
            <button
              key={extension.label}
              type="button"
              title={`To ${dayOf(next.getTime())}, counted from ${known && at > now ? 'the present expiry' : 'now'}`}
              onClick={() => field.onChange(next.toISOString())}
            >
              {extension.label}
            </button>
          );
        })}
      </div>
    </div>
  );
}
