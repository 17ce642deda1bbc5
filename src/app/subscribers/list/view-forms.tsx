import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../contract/http/client.ts';
import { fieldErrors } from '../../../contract/http/refusal.ts';
import { viewLimits, type View } from '../../../contract/bff/view.ts';
import { ChangeViewBody } from '../../../contract/bff/view-bodies.ts';
import { changeView, deleteView } from '../../api/mutations.ts';
import { Button } from '../../components/button.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { describeFailure } from '../../changes/change-failure.tsx';
import styles from './manage-views-dialog.module.css';

interface RowFormProps {
  view: View;
  onEnd: () => void;
}

/** A row of the list that takes another name; Escape leaves the dialog, "Keep name" only this. */
export function RenameView({ view, onEnd }: RowFormProps) {
  const field = useFocus<HTMLInputElement>();
  const [name, setName] = useState(view.name);
  const [refused, setRefused] = useState<string>();
  const renaming = useMutation(changeView);

  function rename(): void {
    const read = ChangeViewBody.safeParse({ name });
    setRefused(read.success ? undefined : fieldErrors(read.error.issues)['name']?.[0]);
    if (read.success) renaming.mutate({ id: view.id, name: read.data.name ?? name }, { onSuccess: onEnd });
  }

  return (
    <li>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <Field label="Name" error={refused ?? (renaming.error ? reasonFor(renaming.error) : undefined)}>
          {(parts) => (
            <input
              {...parts}
              ref={field}
              className={inputClass}
              autoComplete="off"
              maxLength={viewLimits.name}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button small busy={renaming.isPending} onClick={onEnd}>
          Keep name
        </Button>
        <Button type="submit" small look="primary" busy={renaming.isPending}>
          Save name
        </Button>
      </form>
    </li>
  );
}

function reasonFor(error: Error): string {
  const field = error instanceof ApiError ? error.fields['name']?.[0] : undefined;
  return field ?? describeFailure(error, 'it is renamed', 'Look at your views');
}

/** A row that asks once more before the view goes. */
export function DeleteView({ view, onEnd }: RowFormProps) {
  const keep = useFocus<HTMLButtonElement>();
  const deleting = useMutation(deleteView);
  return (
    <li>
      <span className={styles.name}>Delete “{view.name}”?</span>
      <Button ref={keep} small busy={deleting.isPending} onClick={onEnd}>
        Keep it
      </Button>
      <Button small look="danger" busy={deleting.isPending} onClick={() => deleting.mutate(view.id)}>
        Delete view
      </Button>
      {deleting.error && (
        <div role="alert" className={styles.trouble}>
          <Notice tone="bad">{describeFailure(deleting.error, 'it is deleted', 'Look at your views')}</Notice>
        </div>
      )}
    </li>
  );
}

/** Takes the focus of the button in whose place it has come. */
function useFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
