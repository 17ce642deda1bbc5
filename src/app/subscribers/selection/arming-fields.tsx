import { ReasonField } from '../../changes/change-dialog.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { Field, inputClass } from '../../components/field.tsx';

/** Whether it goes back, why it is done, and the name that has to be typed before it can be. */
export function ArmingFields(props: {
  first: string;
  reason: string;
  setReason: (reason: string) => void;
  typed: string;
  setTyped: (typed: string) => void;
}) {
  const { first } = props;
  return (
    <>
      <UndoNote operation="deleteSubscriber" />
      <ReasonField value={props.reason} onChange={props.setReason} />
      <Field label={`To arm the button, type ${first}, the first of them.`}>
        {(parts) => (
          <input
            {...parts}
            className={inputClass}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={props.typed}
            onChange={(event) => props.setTyped(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}
