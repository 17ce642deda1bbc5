import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useForm, useWatch, type Control, type UseFormReturn } from 'react-hook-form';
import type { Change } from '../../../contract/bff/journal.ts';
import { ApiError } from '../../../contract/http/client.ts';
import type { FieldErrors } from '../../../contract/http/problem.ts';
import { limits } from '../../../contract/service/subscriber.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import type { UnconfirmedChange } from '../../api/send-idempotent.ts';
import { useSession } from '../../api/session.ts';
import { describeConflict, describeFailure, UnconfirmedNotice } from '../../changes/change-failure.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { useApp, useNow } from '../../components/app-context.ts';
import { Button } from '../../components/button.tsx';
import { counted } from '../../components/count.ts';
import { Field, inputClass } from '../../components/field.tsx';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { Notice } from '../../components/notice.tsx';
import { useShortcuts } from '../../components/shortcuts.ts';
import { useIsMounted } from '../../components/use-is-mounted.ts';
import { describeCanWatch } from '../fields/can-watch.ts';
import { nameOfStatus, useStatuses } from '../fields/status-badge.tsx';
import { fieldLabels, isFieldName, partLabels } from '../fields/subscriber-fields.ts';
import { RestoredNotice, useDraft, type FormDraft } from './draft.tsx';
import { DeliveryFields, ExpiryWithExtensions, ListFields, usePendingTexts } from './form-fields.tsx';
import styles from './subscriber-form.module.css';

interface SubscriberFormProps {
  values: SubscriberInput;
  draft: FormDraft;
  /** The saved status; null for a subscriber who does not exist yet. */
  status: number | null;
  operation: Change;
  /** The text of the button that saves. */
  action: string;
  /** What would be true if saving had gone through, as in `describeFailure`. */
  done: string;
  /** Saves and returns the subscriber's id; its errors are shown on the fields or above them. */
  onSave: (input: SubscriberInput) => Promise<number>;
  /** Leaves the form after saving. */
  onSaved: (id: number) => void;
  onCancel: () => void;
  /** Set while the answer to saving is lost. */
  unconfirmed: UnconfirmedChange | null;
  /** The field for the reason. */
  reason?: ReactNode;
  /** Shown below the error if someone else changed the subscriber in the meantime. */
  onConflict?: ReactNode;
}

/** One form for creating and editing; the contract's schema validates the input. */
export function SubscriberForm(props: SubscriberFormProps) {
  const { toasts } = useApp();
  const form = useForm({
    resolver: zodResolver(SubscriberInput),
    defaultValues: props.values,
    mode: 'onTouched',
  });
  const { register, control, formState } = form;
  const { errors } = formState;
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const pendingTexts = usePendingTexts(form);
  const draft = useDraft(form, props.draft);
  const saved = useRef(false);
  const isMounted = useIsMounted();
  const { setFocus } = form;
  const username = register('username');

  useEffect(() => {
    // After the heading, which takes the focus of every page.
    if (props.status === null) setFocus('username');
    // Only when the form opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  async function save(input: SubscriberInput): Promise<void> {
    setFailure(null);
    if (pendingTexts.refuse()) return;
    try {
      const id = await props.onSave(input);
      saved.current = true;
      draft.forget();
      if (isMounted.current) props.onSaved(id);
    } catch (error) {
      const found = showErrors(form, error, props.done);
      setFailure(found);
      // A user who left the form in the meantime has to know too.
      if (!isMounted.current) {
        const name = props.values.username || 'New subscriber';
        toasts.show(
          'bad',
          `${name}: ${found.sentences.join(' ') || 'Nothing was saved: some values aren’t valid.'}`,
        );
      }
    }
  }

  return (
    <>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => void form.handleSubmit(save, () => setFailure(null))(event)}
      >
        {draft.restoredFrom && <RestoredNotice savedAt={draft.restoredFrom} onDrop={draft.startOver} />}
        {failure && failure.sentences.length > 0 && (
          <FormSummary sentences={failure.sentences}>{failure.conflict && props.onConflict}</FormSummary>
        )}
        <div className={styles.pair}>
          <Field label={fieldLabels.username} error={errors.username?.message}>
            {(parts) => (
              <input
                {...parts}
                {...username}
                // It has the focus from the start: who goes on without a name has made no mistake yet.
                onBlur={(event) => (event.target.value === '' ? undefined : username.onBlur(event))}
                className={inputClass}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label={fieldLabels.email} error={errors.email?.message}>
            {(parts) => (
              <input
                {...parts}
                {...register('email')}
                className={inputClass}
                type="email"
                autoComplete="off"
              />
            )}
          </Field>
          <ExpiryWithExtensions control={control} />
          <Field
            label={fieldLabels.maxConnections}
            error={errors.maxConnections?.message}
            hint="How many devices can watch at once."
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
        {props.status !== null && <StatusLine status={props.status} />}
        <DeliveryFields form={form} />
        <ListFields control={control} onPendingText={pendingTexts.set} />
        <Field label={fieldLabels.note} error={errors.note?.message}>
          {(parts) => <textarea {...parts} {...register('note')} className={inputClass} rows={3} />}
        </Field>
        <CanWatchNotice control={control} status={props.status} />
        {props.reason}
        <FormActions {...props} form={form} hasPendingText={pendingTexts.any} />
      </form>
      <LeaveGuard
        isUnsaved={() => (formState.isDirty || pendingTexts.any) && !saved.current}
        onLeave={draft.forget}
      />
    </>
  );
}

/** The status, which nobody can set here. */
function StatusLine({ status }: { status: number }) {
  const statuses = useStatuses();
  const help = useSession()?.statusHelp;
  return (
    <Field label={partLabels.status} hint={help}>
      {(parts) => (
        <input
          {...parts}
          className={styles.readOnly}
          readOnly
          value={nameOfStatus(status, statuses) ?? String(status)}
        />
      )}
    </Field>
  );
}

/** Save and Cancel, what saving would change, and beside them, in sight, that its answer is lost. */
function FormActions(props: {
  form: UseFormReturn<SubscriberInput>;
  action: string;
  operation: Change;
  hasPendingText: boolean;
  unconfirmed: UnconfirmedChange | null;
  done: string;
  onCancel: () => void;
}) {
  const { isDirty, isSubmitting, dirtyFields } = props.form.formState;
  const saveButton = useRef<HTMLButtonElement>(null);
  useShortcuts({
    save: () => {
      // As with the mouse: what was typed into the box of a list is added when the focus leaves it.
      saveButton.current?.focus();
      queueMicrotask(() => saveButton.current?.click());
    },
  });
  const changed = Object.keys(dirtyFields).filter(isFieldName);
  // An empty form for a new subscriber can be submitted: it shows what is missing.
  const nothingToSave = props.operation === 'updateSubscriber' && !isDirty && !props.hasPendingText;
  return (
    <div className={styles.actions}>
      <div role="alert" className={styles.lost}>
        {props.unconfirmed && <UnconfirmedNotice unconfirmed={props.unconfirmed} done={props.done} />}
      </div>
      <Button
        ref={saveButton}
        type="submit"
        look="primary"
        disabled={nothingToSave}
        busy={isSubmitting}
        title="Ctrl/⌘ Enter"
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
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

/** What is wrong with the form as a whole. Takes the focus, because no field shows it. */
function FormSummary({ sentences, children }: { sentences: readonly string[]; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="alert" tabIndex={-1} className={styles.summary}>
      <Notice tone="bad">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {children}
      </Notice>
    </div>
  );
}

const watchFields = [
  'expiresAt',
  'hls',
  'mpegTs',
  'maxConnections',
  'countries',
  'ipAddresses',
  'userAgents',
] as const;

/** Whether the subscriber could watch with the values in the form. */
function CanWatchNotice({ control, status }: { control: Control<SubscriberInput>; status: number | null }) {
  const now = useNow();
  const statusHelp = useSession()?.statusHelp;
  const statusName = nameOfStatus(status ?? Number.NaN, useStatuses());
  const [expiresAt, hls, mpegTs, maxConnections, countries, ipAddresses, userAgents] = useWatch({
    control,
    name: watchFields,
  });
  if (Number.isNaN(Date.parse(expiresAt)) || !(maxConnections >= 1)) return null;
  const entered = { expiresAt, hls, mpegTs, maxConnections, countries, ipAddresses, userAgents };
  const { tone, sentence, limits } = describeCanWatch(entered, statusName, now, statusHelp);
  return (
    <section aria-label="With these values">
      <Notice tone={tone}>{[sentence, limits].filter(Boolean).join(' ')}</Notice>
    </section>
  );
}

interface SaveFailure {
  sentences: string[];
  /** Someone else changed the subscriber in the meantime. */
  conflict: boolean;
}

/** Shows the service's errors on the fields; returns those that belong to no field. */
function showErrors(form: UseFormReturn<SubscriberInput>, error: unknown, done: string): SaveFailure {
  if (!(error instanceof Error)) throw error;
  if (error instanceof ApiError && error.code === 'changed-meanwhile')
    return {
      sentences: [
        `Nothing was saved: ${describeConflict(error)}. Your changes are still here. Save again to compare both versions.`,
      ],
      conflict: true,
    };
  if (!(error instanceof ApiError) || error.code !== 'invalid-input')
    return {
      sentences: [describeFailure(error, done, 'Check the list in another tab')],
      conflict: false,
    };
  const { fields, rest } = sortErrors(error.fields);
  const refused = Object.entries(fields) as [keyof SubscriberInput, string][];
  refused.forEach(([name, message], index) =>
    form.setError(name, { type: 'service', message }, { shouldFocus: index === 0 }),
  );
  return { sentences: refused.length > 0 ? rest : [...rest, error.message], conflict: false };
}

/** Sorts the service's errors by field, one sentence for each. `bundles.2` belongs to the field `bundles`. */
export function sortErrors(errors: FieldErrors): {
  fields: Partial<Record<keyof SubscriberInput, string>>;
  /** The sentences that belong to no field. */
  rest: string[];
} {
  const fields: Partial<Record<keyof SubscriberInput, string>> = {};
  const rest: string[] = [];
  for (const [path, sentences] of Object.entries(errors)) {
    const name = path.split('.')[0] ?? '';
    if (isFieldName(name)) fields[name] ??= sentences[0] ?? 'This value can’t be used.';
    else rest.push(...sentences);
  }
  return { fields, rest };
}
