import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { ChangeViewBody, viewLimits, type View } from '../../contract/bff/view.ts';
import { ApiError } from '../../contract/http/client.ts';
import { fieldErrors } from '../../contract/http/problem.ts';
import { changeView, deleteView } from '../api/mutations.ts';
import { describeError } from '../api/errors.ts';
import { Button } from '../components/button.tsx';
import { Field, inputClass } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './manage-views.module.css';

interface RowFormProps {
  view: View;
  onEnd: () => void;
}

/** Asks for another name. Escape closes the whole dialog, "Cancel" only this form. */
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
        <ViewNameField
          field={field}
          value={name}
          onChange={setName}
          error={refused ?? (renaming.error ? reasonFor(renaming.error, 'the view was renamed') : undefined)}
        />
        <Button small busy={renaming.isPending} onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" small look="primary" busy={renaming.isPending}>
          Save name
        </Button>
      </form>
    </li>
  );
}

export function ViewNameField(props: {
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
  hint?: string;
  field?: RefObject<HTMLInputElement | null>;
}) {
  return (
    <Field label="Name" error={props.error} {...(props.hint && { hint: props.hint })}>
      {(parts) => (
        <input
          {...parts}
          ref={props.field}
          className={inputClass}
          autoComplete="off"
          maxLength={viewLimits.name}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Why a view could not be changed. @param done what would be true if it had been, such as "the view was renamed" */
export function reasonFor(error: Error, done: string): string {
  const fields = error instanceof ApiError ? error.fields : {};
  return Object.values(fields)[0]?.[0] ?? describeError(error, { done, check: 'Check your views' });
}

/** Asks before the view is deleted. */
export function DeleteView({ view, onEnd }: RowFormProps) {
  const keep = useFocus<HTMLButtonElement>();
  const deleting = useMutation(deleteView);
  return (
    <li>
      <span className={styles.name}>
        {view.shared ? `Delete “${view.name}” for everybody?` : `Delete “${view.name}”?`}
      </span>
      <Button ref={keep} small busy={deleting.isPending} onClick={onEnd}>
        Cancel
      </Button>
      <Button small look="danger" busy={deleting.isPending} confirms onClick={() => deleting.mutate(view.id)}>
        Delete view
      </Button>
      {deleting.error && (
        <div role="alert" className={styles.trouble}>
          <Notice tone="bad">{reasonFor(deleting.error, 'the view was deleted')}</Notice>
        </div>
      )}
    </li>
  );
}

/** Takes the focus from the button that it replaces. */
function useFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
