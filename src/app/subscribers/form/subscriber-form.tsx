import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState, type ReactNode } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { ApiError } from '../../../contract/http/client.ts';
import type { Change } from '../../../contract/bff/journal.ts';
import { limits } from '../../../contract/service/subscriber.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import type { UnconfirmedChange } from '../../api/send-idempotent.ts';
import { UnconfirmedNotice } from '../../changes/change-failure.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { useApp } from '../../components/app-context.ts';
import { useHere } from '../../components/use-is-mounted.ts';
import { changerOf, describeFailure } from '../../changes/change-failure.tsx';
import { DeliveryFields } from './delivery-fields.tsx';
import { ExpiryField } from './expiry-field.tsx';
import { FormActions } from './form-actions.tsx';
import { FormSummary } from './form-summary.tsx';
import { fieldLabels } from '../fields/field-labels.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { ListFields } from './list-fields.tsx';
import { sortErrors } from './server-errors.ts';
import { RestoredNotice } from './restored-notice.tsx';
import { Verdict } from './verdict.tsx';
import { useDraft, type FormDraft } from './use-draft.ts';
import { useLeftovers } from './use-leftovers.ts';
import styles from './subscriber-form.module.css';

interface SubscriberFormProps {
  values: SubscriberInput;
  draft: FormDraft;
  /** As it is saved; null for somebody who is not there yet. */
  status: number | null;
  /** The words of the button that saves. */
  action: string;
  operation: Change;
  /** What would be so if saving had gone through, for when nobody knows. */
  done: string;
  /** Saves and answers the subscriber's id; its errors are put on the fields or the summary. */
  onSave: (input: SubscriberInput) => Promise<number>;
  /** Goes on after saving; leaving asks nothing then. */
  onSaved: (id: number) => void;
  onCancel: () => void;
  /** An answer was lost, and is asked for again. */
  unconfirmed: UnconfirmedChange | null;
  /** Where to say why. */
  reason?: ReactNode;
  /** Offered beside the error when somebody else changed the subscriber meanwhile. */
  onConflict?: ReactNode;
}

/** One form for creating and editing; the contract's schema says what may be entered. */
export function SubscriberForm(props: SubscriberFormProps) {
  const { toasts } = useApp();
  const form = useForm({
    resolver: zodResolver(SubscriberInput),
    defaultValues: props.values,
    mode: 'onTouched',
  });
  const { register, control, formState } = form;
  const { errors } = formState;
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const leftovers = useLeftovers(form);
  const draft = useDraft(form, props.draft);
  const done = useRef(false);
  const here = useHere();

  async function save(input: SubscriberInput): Promise<void> {
    setTrouble(null);
    if (leftovers.refuse()) return;
    try {
      const id = await props.onSave(input);
      done.current = true;
      draft.forget();
      if (here.current) props.onSaved(id);
    } catch (error) {
      const found = showErrors(form, error, props.done);
      setTrouble(found);
      // Whoever left meanwhile has to learn of it all the same.
      if (!here.current) toasts.show('bad', [`${props.action}: it failed.`, ...found.sentences].join(' '));
    }
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => void form.handleSubmit(save, () => setTrouble(null))(event)}
    >
      {draft.restoredFrom && <RestoredNotice savedAt={draft.restoredFrom} onDrop={draft.startOver} />}
      {trouble && trouble.sentences.length > 0 && (
        <FormSummary sentences={trouble.sentences}>{trouble.conflict && props.onConflict}</FormSummary>
      )}
      <div className={styles.pair}>
        <Field label={fieldLabels.username} error={errors.username?.message}>
          {(parts) => (
            <input
              {...parts}
              {...register('username')}
              className={inputClass}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label={fieldLabels.email} error={errors.email?.message}>
          {(parts) => (
            <input {...parts} {...register('email')} className={inputClass} type="email" autoComplete="off" />
          )}
        </Field>
        <ExpiryField control={control} />
        <Field
          label={fieldLabels.maxConnections}
          error={errors.maxConnections?.message}
          hint="How many devices may watch at once."
        >
          {(parts) => (
            <input
              {...parts}
              {...register('maxConnections', { valueAsNumber: true })}
              className={inputClass}
              type="number"
              min={1}
              max={limits.connections}
              inputMode="numeric"
            />
          )}
        </Field>
      </div>
      <DeliveryFields control={control} register={register} />
      <ListFields control={control} onLeftover={leftovers.note} />
      <Field label={fieldLabels.note} error={errors.note?.message}>
        {(parts) => <textarea {...parts} {...register('note')} className={inputClass} rows={3} />}
      </Field>
      <Verdict control={control} status={props.status} />
      {props.reason}
      {props.unconfirmed && (
        <div role="alert">
          <UnconfirmedNotice unconfirmed={props.unconfirmed} done={props.done} />
        </div>
      )}
      <FormActions
        form={form}
        action={props.action}
        operation={props.operation}
        leftover={leftovers.any}
        onCancel={props.onCancel}
      />
      <LeaveGuard armed={formState.isDirty || leftovers.any} done={done} onLeave={draft.forget} />
    </form>
  );
}

interface Trouble {
  sentences: string[];
  /** Somebody else changed the subscriber meanwhile. */
  conflict: boolean;
}

/** Puts what the service refused on the fields; answers what belongs to none of them. */
function showErrors(form: UseFormReturn<SubscriberInput>, error: unknown, done: string): Trouble {
  if (!(error instanceof Error)) throw error;
  if (error instanceof ApiError && error.code === 'changed-meanwhile')
    return { sentences: [changedMeanwhile(error)], conflict: true };
  if (!(error instanceof ApiError) || error.code !== 'invalid-input')
    return {
      sentences: [describeFailure(error, done, 'Look at the list in another window')],
      conflict: false,
    };
  const { fields, rest } = sortErrors(error.fields);
  const refused = Object.entries(fields) as [keyof SubscriberInput, string][];
  refused.forEach(([name, message], place) =>
    form.setError(name, { type: 'service', message }, { shouldFocus: place === 0 }),
  );
  return { sentences: refused.length > 0 ? rest : [...rest, error.message], conflict: false };
}

const changedMeanwhile = (error: ApiError) =>
  `${changerOf(error)} changed this subscriber since you opened it, so nothing was saved. What you entered is still here. Save it again to see both versions.`;
