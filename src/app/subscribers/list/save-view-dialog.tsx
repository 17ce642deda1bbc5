import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../contract/http/client.ts';
import { fieldErrors } from '../../../contract/http/refusal.ts';
import { viewLimits } from '../../../contract/bff/view.ts';
import { AddViewBody } from '../../../contract/bff/view-bodies.ts';
import { addView } from '../../api/mutations.ts';
import { useApp } from '../../components/app-context.ts';
import { Field, inputClass } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import type { ListAddress } from '../address.ts';
import { describeFailure } from '../../changes/change-failure.tsx';
import { viewQueryOf } from './saved-address.ts';

/** Asks for the name under which the present filter and order are kept. */
export function SaveViewDialog({ address, onClose }: { address: ListAddress; onClose: () => void }) {
  const { toasts } = useApp();
  const [name, setName] = useState('');
  const [refused, setRefused] = useState<Readonly<Record<string, string[]>>>({});
  const saving = useMutation({
    ...addView,
    onSuccess: (added, ...rest) => {
      addView.onSuccess?.(added, ...rest);
      toasts.show('ok', `The view “${added.name}” is saved.`);
      onClose();
    },
  });
  const answered = saving.error instanceof ApiError ? saving.error.fields : {};
  const { name: nameErrors, ...others } = { ...refused, ...answered };
  const trouble =
    Object.values(others)[0]?.[0] ??
    (saving.error && !nameErrors
      ? describeFailure(saving.error, 'the view is saved', 'Look at your views')
      : undefined);

  function save(): void {
    const body = { name, query: asText(viewQueryOf(address)) };
    const read = AddViewBody.safeParse(body);
    setRefused(read.success ? {} : fieldErrors(read.error.issues));
    saving.reset();
    if (read.success) saving.mutate(body);
  }

  return (
    <FormDialog
      title="Save view"
      action="Save view"
      busyAction="Saving…"
      busy={saving.isPending}
      error={trouble}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label="Name"
        error={nameErrors?.[0]}
        hint="The present filters and order are kept under it. You find them in every browser that you sign in with."
      >
        {(parts) => (
          <input
            {...parts}
            className={inputClass}
            autoComplete="off"
            maxLength={viewLimits.name}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** Each value as it is written in an address, which is how the desk takes it. */
const asText = (query: object) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
