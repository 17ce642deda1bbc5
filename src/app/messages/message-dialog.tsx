import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import {
  AddMessageBody,
  messageLanguages,
  occasions,
  placeholders,
  type Message,
  type Occasion,
} from '../../contract/bff/message.ts';
import { playlistUrlOf } from '../../contract/bff/playlist-url.ts';
import { ApiError } from '../../contract/http/client.ts';
import { messagesQuery } from '../api/client.ts';
import { addMessage, changeMessage } from '../api/mutations.ts';
import { useSession } from '../api/session.ts';
import { describeFailure } from '../subscriber/change-failure.tsx';
import { useApp, useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { Field, inputClass } from '../components/field.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { DiscardDialog, LeaveGuard } from '../components/leave-guard.tsx';
import { Notice } from '../components/notice.tsx';
import { languageName, messageLanguage, messageText } from '../subscriber/message-text.ts';
import styles from './messages-page.module.css';

/** When a message is offered first. */
export const occasionNames: Readonly<Record<Occasion, string>> = {
  created: 'After creating',
  extended: 'After extending',
  regenerated: 'After regenerating the token',
  general: 'Any time',
};

/** What to do when it is not known whether the messages were changed. */
export const checkMessages = 'Check the list';

const languages = messageLanguages
  .map((tag) => ({ tag, name: languageName(tag) }))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Adds a message, or changes one. */
export function MessageDialog({ message, onClose }: { message: Message | null; onClose: () => void }) {
  const { toasts } = useApp();
  const cache = useQueryClient();
  const form = useForm<AddMessageBody>({
    resolver: zodResolver(AddMessageBody),
    defaultValues: contentOf(message),
  });
  // The version that this replaces, and that was on the screen.
  const [base, setBase] = useState(message);
  const [closing, setClosing] = useState(false);
  const { errors, isDirty } = form.formState;
  const onSuccess = ({ name }: Message) => {
    toasts.show('ok', message ? `${name} is saved.` : `${name} is added.`);
    onClose();
  };
  const onError = async (failure: Error) => {
    if (!(failure instanceof ApiError)) return;
    const taken = failure.fields['name']?.[0];
    if (taken !== undefined) form.setError('name', { type: 'bff', message: taken }, { shouldFocus: true });
    if (failure.code !== 'changed-meanwhile') return;
    const latest = await cache.fetchQuery({ ...messagesQuery, staleTime: 0 });
    setBase((before) => latest.find(({ id }) => id === before?.id) ?? before);
  };
  const adding = useMutation({ ...addMessage, onSuccess, onError });
  const changing = useMutation({ ...changeMessage, onSuccess, onError });
  const save = base ? changing : adding;
  const error = save.error && !errors.name ? save.error : null;
  const isConflict = error instanceof ApiError && error.code === 'changed-meanwhile';
  const isUnsaved = () => isDirty && !save.isSuccess;
  const submit = form.handleSubmit((body) => {
    if (base) changing.mutate({ ...body, id: base.id, version: base.version });
    else adding.mutate(body);
  });
  return (
    <>
      <ConfirmDialog
        title={message ? `Edit ${message.name}` : 'Add message'}
        action={message ? 'Save message' : 'Add message'}
        busyAction="Saving…"
        busy={save.isPending}
        error={error && !isConflict ? describeFailure(error, 'the message was saved', checkMessages) : null}
        notice={isConflict && base && <Conflict theirs={base} />}
        onSubmit={() => void submit()}
        onClose={() => (isUnsaved() ? setClosing(true) : onClose())}
      >
        <Field label="Name" error={errors.name?.message} hint="Staff choose the message by it.">
          {(parts) => (
            <input {...parts} {...form.register('name')} className={inputClass} autoComplete="off" />
          )}
        </Field>
        <div className={styles.pair}>
          <Field label="Offered" error={errors.occasion?.message}>
            {(parts) => (
              <select {...parts} {...form.register('occasion')} className={inputClass}>
                {occasions.map((occasion) => (
                  <option key={occasion} value={occasion}>
                    {occasionNames[occasion]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Language" error={errors.language?.message}>
            {(parts) => (
              <select {...parts} {...form.register('language')} className={inputClass}>
                {languages.map(({ tag, name }) => (
                  <option key={tag} value={tag}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <TextField form={form} />
        <Preview form={form} />
      </ConfirmDialog>
      {closing && <DiscardDialog onKeep={() => setClosing(false)} onDiscard={onClose} />}
      <LeaveGuard isUnsaved={isUnsaved} />
    </>
  );
}

const contentOf = (message: Message | null): AddMessageBody =>
  message
    ? { occasion: message.occasion, language: message.language, name: message.name, text: message.text }
    : { occasion: 'extended', language: messageLanguage.get(), name: '', text: '' };

/** The text, with a button for each placeholder, because braces are hard to type on a telephone. */
function TextField({ form }: { form: UseFormReturn<AddMessageBody> }) {
  const { ref, ...field } = form.register('text');
  const area = useRef<HTMLTextAreaElement | null>(null);
  const insert = (name: string) => {
    const { value, selectionStart, selectionEnd } = area.current ?? {
      value: '',
      selectionStart: 0,
      selectionEnd: 0,
    };
    const before = `${value.slice(0, selectionStart)}{${name}}`;
    form.setValue('text', before + value.slice(selectionEnd), { shouldDirty: true });
    area.current?.focus();
    area.current?.setSelectionRange(before.length, before.length);
  };
  return (
    <div className={styles.words}>
      <Field label="Text" error={form.formState.errors.text?.message}>
        {(parts) => (
          <textarea
            {...parts}
            {...field}
            ref={(element) => {
              ref(element);
              area.current = element;
            }}
            className={inputClass}
            rows={6}
            dir="auto"
          />
        )}
      </Field>
      <div className={styles.insert} role="group" aria-label="Insert into the text">
        {placeholders.map((name) => (
          <Button key={name} small aria-label={`Insert {${name}}`} onClick={() => insert(name)}>
            {`{${name}}`}
          </Button>
        ))}
      </div>
    </div>
  );
}

const day = 24 * 60 * 60_000;
const madeUp = { username: 'anna.berg', accessToken: 'ACCESS-TOKEN' };

/** The message as a subscriber who does not exist would get it. */
function Preview({ form }: { form: UseFormReturn<AddMessageBody> }) {
  const [text, language] = useWatch({ control: form.control, name: ['text', 'language'] });
  const template = useSession()?.playlistUrlTemplate;
  const expiresAt = new Date(useNow() + 30 * day).toISOString();
  const title = useId();
  return (
    <section className={styles.preview} aria-labelledby={title}>
      <h3 id={title}>Preview for a made-up subscriber</h3>
      <p lang={language} dir="auto">
        {messageText(
          { text, language },
          { ...madeUp, expiresAt },
          template && playlistUrlOf(template, madeUp),
        )}
      </p>
    </section>
  );
}

function Conflict({ theirs }: { theirs: Message }) {
  return (
    <Notice tone="bad">
      <p>
        Someone else changed this message after you opened it. Nothing was saved. Save again to replace their
        version with yours. Theirs is “{theirs.name}”:
      </p>
      <p className={styles.theirs} lang={theirs.language} dir="auto">
        {theirs.text}
      </p>
    </Notice>
  );
}
