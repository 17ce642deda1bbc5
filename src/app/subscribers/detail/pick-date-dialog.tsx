import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { useNow } from '../../components/app-context.ts';
import { relativeTime } from '../../components/time.ts';
import { utcOf } from '../../components/exact-time.ts';
import { fromLocalInput, toLocalInput } from '../form/local-date-time.ts';

/** Any other expiry, by the platform's own input or by typing. */
export function PickDateDialog(props: {
  username: string;
  /** What the field begins with. */
  start: Date;
  /** @param onPick.expiresAt in UTC */
  onPick: (expiresAt: string) => void;
  onClose: () => void;
}) {
  const [expiresAt, setExpiresAt] = useState(props.start.toISOString());
  const [missing, setMissing] = useState(false);
  const now = useNow();
  const at = Date.parse(expiresAt);
  const known = !Number.isNaN(at);
  const save = () => {
    setMissing(!known);
    if (!known) return;
    props.onClose();
    props.onPick(expiresAt);
  };
  return (
    <Dialog
      title={`When does ${props.username} expire?`}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button look="primary" onClick={save}>
            Set expiry
          </Button>
        </>
      }
    >
      <Field
        label="New expiry"
        error={missing && !known ? 'Enter a date and a time.' : undefined}
        warning={known && at <= now ? 'This is in the past: the subscriber counts as expired.' : undefined}
        hint={known ? `${utcOf(at)} · ${relativeTime(at, now)}` : 'In your time zone.'}
      >
        {(parts) => (
          <input
            {...parts}
            className={inputClass}
            type="datetime-local"
            max="9999-12-31T23:59"
            value={toLocalInput(expiresAt)}
            onChange={(event) => setExpiresAt(fromLocalInput(event.target.value))}
            onKeyDown={(event) => event.key === 'Enter' && save()}
          />
        )}
      </Field>
    </Dialog>
  );
}
