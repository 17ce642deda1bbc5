import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import {
  AddMessageBody,
  messageLanguages,
  occasions,
  placeholders,
  type Message,
  type Occasion,
} from '../../contract/bff/message.ts';
import { isConflict } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { InputField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { useBundles } from '../subscriber/bundles.ts';
import { languageName, messageLanguage, messagesQuery, messageText } from '../subscriber/message-text.ts';
import styles from './messages-page.module.css';

/** When a message is offered first. */
export const occasionNames: Readonly<Record<Occasion, string>> = {
  created: 'After creating',
  extended: 'After extending',
  regenerated: 'After regenerating the token',
  general: 'Any time',
};

const times = occasions.map((value) => ({ value, label: occasionNames[value] }));

const languages = messageLanguages
  .map((value) => ({ value, label: languageName(value) }))
  .toSorted((one, other) => (one.label < other.label ? -1 : 1));

/** Adds a message, or changes one. */
export function MessageDialog({ message, onClose }: { message: Message | null; onClose: () => void }) {
  const cache = useQueryClient();
  // The version that this replaces, and that was on the screen.
  const [base, setBase] = useState(message);
  const options = {
    done: 'the message was saved',
    toast: ({ data }: { data: Message }) => (message ? `${data.name} is saved.` : `${data.name} is added.`),
    onDone: onClose,
  };
  const adding = useAction('addMessage', options);
  const changing = useAction('changeMessage', {
    ...options,
    onFailure: async (error) => {
      if (!isConflict(error)) return;
      const latest = await cache.fetchQuery({ ...messagesQuery, staleTime: 0 });
      setBase((before) => latest.find(({ id }) => id === before?.id) ?? before);
    },
  });
  const saving = base ? changing : adding;
  const conflict = isConflict(saving.error) && base;
  return (
    <FormDialog
      title={message ? `Edit ${message.name}` : 'Add message'}
      action={message ? 'Save message' : 'Add message'}
      busyAction="Saving…"
      schema={AddMessageBody}
      values={contentOf(message)}
      acting={conflict ? { ...saving, failure: null } : saving}
      notice={conflict && <Conflict theirs={conflict} />}
      asksBeforeLeaving
      onSubmit={(body) =>
        base
          ? void changing.run({ params: { id: base.id }, body: { ...body, version: base.version } })
          : void adding.run({ body })
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <InputField form={form} name="name" label="Name" hint="Staff choose the message by it." />
          <div className="columns">
            <InputField form={form} name="occasion" label="Offered" options={times} />
            <InputField form={form} name="language" label="Language" options={languages} />
          </div>
          <TextField form={form} />
          <Preview form={form} />
        </>
      )}
    </FormDialog>
  );
}

const contentOf = (message: Message | null): AddMessageBody =>
  message
    ? { occasion: message.occasion, language: message.language, name: message.name, text: message.text }
    : { occasion: 'extended', language: messageLanguage.get(), name: '', text: '' };

/** The text, with a button for each placeholder, because braces are hard to type on a telephone. */
function TextField({ form }: { form: UseFormReturn<AddMessageBody> }) {
  const area = useRef<HTMLTextAreaElement | null>(null);
  const insert = (name: string) => {
    if (!area.current) return;
    const { value, selectionStart, selectionEnd } = area.current;
    const before = `${value.slice(0, selectionStart)}{${name}}`;
    form.setValue('text', before + value.slice(selectionEnd), { shouldDirty: true });
    area.current.focus();
    area.current.setSelectionRange(before.length, before.length);
  };
  return (
    <div className="stack">
      <InputField form={form} name="text" label="Text">
        {({ ref, ...parts }) => (
          <textarea
            {...parts}
            ref={(element) => {
              ref(element);
              area.current = element;
            }}
            rows={6}
            dir="auto"
          />
        )}
      </InputField>
      <div className="row" role="group" aria-label="Insert into the text">
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
const [username, accessToken] = ['anna.berg', 'ACCESS-TOKEN'];

/** The message as a subscriber who does not exist would get it. */
function Preview({ form }: { form: UseFormReturn<AddMessageBody> }) {
  const [text, language] = useWatch({ control: form.control, name: ['text', 'language'] });
  const template = useSession()?.playlistUrlTemplate;
  const known = useBundles();
  const bundles = known.length > 0 ? known.slice(0, 2).map(({ number }) => number) : [3, 7];
  const expiresAt = new Date(useNow() + 30 * day).toISOString();
  const title = useId();
  return (
    <section className={`stack ${styles.preview}`} aria-labelledby={title}>
      <h3 id={title} className="small">
        Preview for a made-up subscriber
      </h3>
      <p className="inset multiline" lang={language} dir="auto">
        {messageText({ text, language }, { username, expiresAt, bundles }, known, accessToken, template)}
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
      <p className="multiline" lang={theirs.language} dir="auto">
        {theirs.text}
      </p>
    </Notice>
  );
}
