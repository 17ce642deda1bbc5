import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../contract/http/client.ts';
import { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { limits } from '../../contract/service/subscriber.ts';
import { describeFailure } from '../api/action-errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { doneToast } from '../subscriber/undo.tsx';
import { useApp, useCommands, useNow } from '../components/app-context.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { counted, grouped } from '../components/count.ts';
import { localDay } from '../components/exact-time.tsx';
import { Field } from '../components/field.tsx';
import { Notice, UnconfirmedNotice } from '../components/notice.tsx';
import { useIsMounted } from '../components/use-is-mounted.ts';
import { inputOf, listsMissing } from '../subscriber/subscriber-fields.ts';
import { useEditDisabledReason, type ShownRecord } from './edit-record.tsx';
import { Section } from './section.tsx';

/** The number of last lines that are shown at first. */
const fewLines = 6;

/** The note line by line: lines that begin with "!" first, then the others; and a line can be added. */
export function Notes(props: ShownRecord & { changed: boolean }) {
  const { subscriber } = props;
  const [adding, setAdding] = useState(false);
  const [all, setAll] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const reason = useEditDisabledReason(props);
  const open = () => setAdding(true);
  const close = () => {
    setAdding(false);
    opener.current?.focus();
  };
  useCommands([reason === undefined && { name: 'Add note…', about: subscriber.username, run: open }]);
  const lines = subscriber.note.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pinned = lines.filter((line) => line.startsWith('!'));
  const others = lines.filter((line) => !line.startsWith('!'));
  const earlier = all ? 0 : Math.max(0, others.length - fewLines);
  return (
    <Section
      name="Notes"
      heading={<>Notes {props.changed && <Badge tone="warn">Changed</Badge>}</>}
      tools={
        <Button
          ref={opener}
          variant="quiet"
          small
          reason={reason}
          aria-expanded={adding}
          onClick={adding ? close : open}
        >
          Add note
        </Button>
      }
    >
      {pinned.length > 0 && (
        <Notice tone="warn">
          <Lines lines={pinned} />
        </Notice>
      )}
      {earlier > 0 && (
        <div>
          <Button variant="quiet" small onClick={() => setAll(true)}>
            Show {counted(earlier, 'earlier line')}
          </Button>
        </div>
      )}
      {others.length > 0 && <Lines lines={others.slice(earlier)} />}
      {lines.length === 0 && !adding && <p className="aside">No notes</p>}
      {adding && <AddNote {...props} onClose={close} />}
    </Section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="stack breaks">
      {lines.map((line, index) => (
        // The same line can be there twice.
        <li key={`${index} ${line}`}>{line}</li>
      ))}
    </ul>
  );
}

const aboutNote = { done: 'the note was added', check: 'Check the notes' };

/** Asks for a line, which is saved with its day and author after the newest note. */
function AddNote(props: ShownRecord & { onClose: () => void }) {
  const { subscriber, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const name = useSession()?.staff.name ?? '';
  // What is pinned has to begin with its mark.
  const [, mark = '', rest = ''] = /^(!?)\s*(.*)$/.exec(text.trim()) ?? [];
  const line = `${mark}${localDay(useNow())} ${name}: ${rest}`;
  const { add, busy, saving } = useAddLine(props);
  const missing = rest === '' ? 'Enter a note.' : undefined;
  const error = missing ? submitted && missing : faultOf(withLine(subscriber.note, line));
  const submit = async () => {
    setSubmitted(true);
    if (busy || missing || error) return;
    setFailure(null);
    const failed = await add(line);
    if (failed === null) onClose();
    else setFailure(failed);
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="New note"
        error={error || undefined}
        hint={missing ? 'Start with ! to keep it on top.' : line}
      >
        {(parts) => (
          <input
            {...parts}
            autoComplete="off"
            ref={input}
            readOnly={busy}
            value={text}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || busy) return;
              // It would close the pane.
              event.stopPropagation();
              onClose();
            }}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button busy={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {busy ? 'Saving…' : 'Save note'}
        </Button>
      </div>
      <div role="alert">
        <UnconfirmedNotice acting={saving} />
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
      </div>
    </form>
  );
}

const withLine = (note: string, line: string) =>
  (note === '' || note.endsWith('\n') ? note : `${note}\n`) + line;

/** The reason why a note cannot be saved; undefined if it can. */
function faultOf(note: string): string | undefined {
  const over = [...note].length - limits.note;
  if (over > 0)
    return `This is ${counted(over, 'character')} too long: all notes together have ${grouped(limits.note)}. Shorten it, or edit the older notes.`;
  return SubscriberInput.shape.note.safeParse(note).error?.issues[0]?.message;
}

/** The number of newer notes that a line is appended to before the user is told. */
const attempts = 5;

/** Appends a line to the note, to the newest one if someone else has saved meanwhile. */
function useAddLine({ subscriber, etag }: ShownRecord) {
  const { id, username } = subscriber;
  const { queryClient, toasts } = useApp();
  const isMounted = useIsMounted();
  const [busy, setBusy] = useState(false);
  const text = `Note added for ${username}.`;
  const saving = useAction('updateSubscriber', {
    ...aboutNote,
    failures: 'caller',
    toast: (reply) => doneToast(queryClient, 'updateSubscriber', reply, text),
  });

  async function send(line: string): Promise<void> {
    let newest = { data: subscriber, etag };
    for (let attempt = 1; ; attempt += 1) {
      const values = inputOf(newest.data);
      const note = withLine(newest.data.note, line);
      const refused = values ? faultOf(note) : listsMissing;
      if (!values || refused !== undefined) throw new ApiError('other', refused ?? listsMissing);
      try {
        await saving.send({ params: { id }, body: { ...values, note } }, { etag: newest.etag });
        return;
      } catch (error) {
        if (!isConflict(error) || attempt === attempts) throw error;
        newest = await queryClient.fetchQuery({ ...subscriberQuery(id), staleTime: 0 });
        // It may have been this change itself, whose answer was lost.
        if (newest.data.note.endsWith(`\n${line}`) || newest.data.note === line)
          return void toasts.show('ok', text);
      }
    }
  }

  /** @returns why it failed; null if the line is saved */
  async function add(line: string): Promise<string | null> {
    setBusy(true);
    try {
      await send(line);
      return null;
    } catch (error) {
      const sentence = describeFailure(error, aboutNote);
      if (!isMounted.current) toasts.show('bad', `${username}: ${sentence}`);
      return sentence;
    } finally {
      setBusy(false);
    }
  }

  return { add, busy, saving };
}

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'changed-meanwhile';
