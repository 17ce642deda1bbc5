import type { UseFormReturn } from 'react-hook-form';
import type { Change } from '../../../contract/bff/journal.ts';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { UndoNote } from '../../changes/undo-note.tsx';
import { Button } from '../../components/button.tsx';
import { counted } from '../../components/count.ts';
import { fieldLabels, isFieldName } from '../fields/field-labels.ts';
import styles from './form-actions.module.css';

/** Save and Cancel, and what saving would change. */
export function FormActions(props: {
  form: UseFormReturn<SubscriberInput>;
  action: string;
  operation: Change;
  /** Something was typed that is no value yet. */
  leftover: boolean;
  onCancel: () => void;
}) {
  const { isDirty, isSubmitting, dirtyFields } = props.form.formState;
  const changed = Object.keys(dirtyFields).filter(isFieldName);
  return (
    <div className={styles.actions}>
      <Button type="submit" look="primary" disabled={!isDirty && !props.leftover} busy={isSubmitting}>
        {isSubmitting ? 'Saving…' : props.action}
      </Button>
      <Button onClick={props.onCancel}>Cancel</Button>
      <p role="status" className={styles.changes}>
        {isDirty &&
          `${counted(changed.length, 'unsaved change')}: ${changed.map((name) => fieldLabels[name]).join(', ')}`}
      </p>
      <UndoNote operation={props.operation} />
    </div>
  );
}
