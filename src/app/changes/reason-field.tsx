import { changeLimits } from '../../contract/http/change-headers.ts';
import { Field, inputClass } from '../components/field.tsx';

/** Why something is done, for those who read the journal later. */
export function ReasonField(props: {
  value: string;
  onChange: (reason: string) => void;
  /** It is on its way already. */
  fixed: boolean;
}) {
  return (
    <Field label="Reason (optional)" hint="Everybody who sees this subscriber can read it under Activity.">
      {(parts) => (
        <input
          {...parts}
          className={inputClass}
          autoComplete="off"
          maxLength={changeLimits.reason}
          readOnly={props.fixed}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
