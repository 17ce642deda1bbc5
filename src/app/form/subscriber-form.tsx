import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useForm, useWatch, type Control, type Resolver, type UseFormReturn } from 'react-hook-form';
import { limits } from '../../contract/service/limits.ts';
import { SubscriberInput, fieldLabels } from '../../contract/service/subscriber-input.ts';
import { Notice, UnconfirmedNotice, type Acting } from '../components/notice.tsx';
import { useSession } from '../api/session.ts';
import { UndoNote } from '../subscriber/undo.tsx';
import { useApp, useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/format.ts';
import { Field, Form, InputField } from '../components/field.tsx';
import { LeaveGuard } from '../components/leave-guard.tsx';
import { useShortcuts } from '../components/shortcuts.tsx';
import { checkAfterPress, useAfterPress } from '../components/use-after-press.ts';
import { useIsMounted } from '../components/use-is-mounted.ts';
import { describeCanWatch } from '../subscriber/can-watch.ts';
import { nameOfStatus, useStatuses } from '../subscriber/status-badge.tsx';
import { isFieldName, listsInOrder, partLabels } from '../subscriber/subscriber-fields.ts';
import { isSame } from './conflict-dialog.tsx';
import { RestoredNotice, useDraft, type FormDraft } from './use-draft.tsx';
import {
  DeliveryFields,
  ExpiryWithExtensions,
  ListField,
  usePendingTexts,
  SameValue,
  useSameValues,
} from './form-fields.tsx';
import { showErrors, type SaveFailure } from './save-failure.ts';
import styles from './subscriber-form.module.css';

interface SubscriberFormProps {
  values: SubscriberInput;
  draft: FormDraft;
  /** The saved status; null for a subscriber who does not exist yet. */
  status: number | null;
  /** The state of saving. */
  acting: Acting;
  /** Saves and returns the subscriber's id; its errors are shown on the fields or above them. */
  onSave: (input: SubscriberInput) => Promise<number>;
  /** Leaves the form after saving. */
  onSaved: (id: number) => void;
  onCancel: () => void;
  reason?: ReactNode;
  /**
   * Shown below the error if someone else changed the subscriber in the meantime.
   *
   * @param forget deletes the draft
   */
  renderConflict?: (forget: () => void) => ReactNode;
}

/** One form for creating and editing; the contract's schema validates the input. */
export function SubscriberForm(props: SubscriberFormProps) {
  const { toasts } = useApp();
  const user = useSession()?.staff;
  const afterPress = useAfterPress();
  const form = useForm({
    resolver: checkAfterPress(afterPress, checkBeside(props.status === null ? null : props.values)),
    defaultValues: props.values,
    mode: 'onTouched',
  });
  const { control, formState } = form;
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const [isSaving, setSaving] = useState(false);
  const pendingTexts = usePendingTexts(form);
  const draft = useDraft(form, props.draft);
  const saved = useRef(false);
  const isMounted = useIsMounted();
  const { setFocus } = form;
  const same = useSameValues(form, props.draft.id, afterPress);

  // After the heading, which takes the focus of every page.
  const begin = useEffectEvent(() => {
    if (props.status === null) setFocus('username');
  });
  useEffect(() => begin(), []);

  async function save(input: SubscriberInput): Promise<void> {
    setFailure(null);
    if (pendingTexts.refuse()) return;
    draft.keepWhileSaving();
    setSaving(true);
    try {
      const id = await props.onSave(input);
      saved.current = true;
      draft.forget();
      if (isMounted.current) props.onSaved(id);
    } catch (error) {
      // A field that is off takes no focus.
      flushSync(() => setSaving(false));
      const found = showErrors(form, error, props.acting.done, user);
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
      <Form
        className={`stack ${styles.form}`}
        onSubmit={() => void form.handleSubmit(save, () => setFailure(null))()}
      >
        {/* What is typed while it is saved would be lost when the form closes. */}
        <fieldset disabled={isSaving} className={`stack ${styles.fields}`}>
          {draft.restoredFrom && <RestoredNotice savedAt={draft.restoredFrom} onDrop={draft.startOver} />}
          {failure && failure.sentences.length > 0 && (
            <FormSummary sentences={failure.sentences}>
              {failure.conflict && props.renderConflict?.(draft.forget)}
            </FormSummary>
          )}
          <div className={`columns ${styles.pair}`}>
            {(['username', 'email'] as const).map((name) => (
              <InputField
                key={name}
                form={form}
                name={name}
                label={fieldLabels[name]}
                // Without one, the place of an error is free all the same.
                hint={same[name].of.length > 0 ? <SameValue what={name} of={same[name].of} /> : '\u00a0'}
                register={{ onChange: same[name].forget }}
              >
                {({ onBlur, ...parts }) => (
                  <input
                    {...parts}
                    type={name === 'email' ? 'email' : 'text'}
                    autoComplete="off"
                    autoCapitalize="none"
                    spellCheck={false}
                    onBlur={(event) => {
                      same[name].look();
                      // Nothing was entered yet: that is no mistake before saving, and its error would move what is being clicked.
                      if (event.target.value !== '' || props.values[name] !== '') void onBlur(event);
                    }}
                  />
                )}
              </InputField>
            ))}
            <ExpiryWithExtensions control={control} />
            <InputField
              form={form}
              name="maxConnections"
              label={fieldLabels.maxConnections}
              hint="How many devices can watch at once."
              register={{ valueAsNumber: true }}
              type="number"
              min={1}
              max={limits.connections}
              inputMode="numeric"
            />
          </div>
          {props.status !== null && <StatusLine status={props.status} />}
          <DeliveryFields form={form} />
          {listsInOrder.map((name) => (
            <ListField key={name} name={name} control={control} onPendingText={pendingTexts.set} />
          ))}
          <InputField form={form} name="note" label={fieldLabels.note}>
            {(parts) => <textarea {...parts} rows={3} />}
          </InputField>
          {props.reason}
          <CanWatchNotice control={control} status={props.status} />
        </fieldset>
        <FormActions {...props} form={form} hasPendingText={pendingTexts.any} />
      </Form>
      <LeaveGuard
        isUnsaved={() => (formState.isDirty || pendingTexts.any) && !saved.current}
        isSending={props.acting.isBusy}
        onLeave={props.acting.isBusy ? draft.keepNow : draft.forget}
      />
    </>
  );
}

/** The check of the fields. A saved value that the rules do not allow, such as no email, may stay as it is. */
function checkBeside(saved: SubscriberInput | null): Resolver<SubscriberInput, unknown, SubscriberInput> {
  const check = zodResolver(SubscriberInput);
  if (!saved) return check;
  return async (values, ...more) => {
    const result = await check(values, ...more);
    const isKept = (name: string) => isFieldName(name) && isSame(values[name], saved[name]);
    const errors = Object.entries(result.errors).filter(([name]) => !isKept(name));
    if (errors.length > 0) return { values: {}, errors: Object.fromEntries(errors) };
    return Object.keys(result.errors).length > 0 ? { values, errors: {} } : result;
  };
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
function FormActions(
  props: SubscriberFormProps & { form: UseFormReturn<SubscriberInput>; hasPendingText: boolean },
) {
  const isNew = props.status === null;
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
  const nothingToSave = !isNew && !isDirty && !props.hasPendingText;
  return (
    <div className={`row ${styles.actions}`}>
      {props.acting.unconfirmed && (
        <div role="alert" className={styles.lost}>
          <UnconfirmedNotice acting={props.acting} />
        </div>
      )}
      <Button
        ref={saveButton}
        type="submit"
        variant="primary"
        disabled={nothingToSave}
        busy={isSubmitting}
        title="Ctrl/⌘ Enter"
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {isSubmitting ? 'Saving…' : isNew ? 'Create subscriber' : 'Save changes'}
      </Button>
      <Button onClick={props.onCancel}>Cancel</Button>
      <p role="status" className="aside">
        {isDirty &&
          `${counted(changed.length, 'unsaved change')}: ${changed.map((name) => fieldLabels[name]).join(', ')}`}
      </p>
      <UndoNote operation={isNew ? 'createSubscriber' : 'updateSubscriber'} />
    </div>
  );
}

/** The errors of the form as a whole. Takes the focus, because no field shows it. */
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

/** True if the subscriber could watch with the values in the form. */
function CanWatchNotice({ control, status }: { control: Control<SubscriberInput>; status: number | null }) {
  const now = useNow();
  const statusHelp = useSession()?.statusHelp;
  const statusName = nameOfStatus(status ?? Number.NaN, useStatuses());
  // All fields have a value from the beginning.
  const entered = useWatch({ control }) as SubscriberInput;
  if (Number.isNaN(Date.parse(entered.expiresAt)) || !(entered.maxConnections >= 1)) return null;
  const { tone, sentence, limits } = describeCanWatch(entered, statusName, now, statusHelp);
  return (
    <section aria-label="With these values">
      <Notice tone={tone}>{[sentence, limits].filter(Boolean).join(' ')}</Notice>
    </section>
  );
}
