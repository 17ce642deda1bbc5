import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { noteForm } from '../../contract/bff/draft.ts';
import { ApiError } from '../../contract/http/client.ts';
import { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { limits } from '../../contract/service/limits.ts';
import { useApi } from '../api/api.ts';
import { describeFailure } from '../api/action-errors.ts';
import { isConflict, isPassing } from '../api/errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { usePermission, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { createKeeper, noteDraftQuery, onSavingDrafts } from '../subscriber/drafts.ts';
import { doneToast } from '../subscriber/undo.tsx';
import { useApp, useCommands, useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped, dayOf } from '../components/format.ts';
import { localDay } from '../components/exact-time.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Form, TextField } from '../components/field.tsx';
import { useShortcuts } from '../components/shortcuts.tsx';
import { Notice, UnconfirmedNotice } from '../components/notice.tsx';
import { useIsMounted } from '../components/use-is-mounted.ts';
import { inputOf, listsMissing } from '../subscriber/subscriber-fields.ts';
import { useEditDisabledReason, type ShownRecord, type Version } from './edit-record.tsx';
import { Section } from './section.tsx';

/** The number of last lines that are shown at first. */
const fewLines = 6;

/** The note line by line: lines that begin with "!" first, then the others; and a line can be added. */
export function Notes(props: ShownRecord) {
  const { subscriber } = props;
  /** Null until the user opens or closes it: a line that was begun before is in sight. */
  const [opened, setOpened] = useState<boolean | null>(null);
  const [all, setAll] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { allowed } = usePermission('updateSubscriber');
  const disabledReason = useEditDisabledReason(props);
  const draft = useNoteDraft(subscriber.id, disabledReason === undefined);
  // A new line would replace it.
  const reason = disabledReason ?? (draft.isUnread ? unreadDraft : undefined);
  const adding = opened ?? draft.line !== '';
  const open = () => setOpened(true);
  const close = () => {
    setOpened(false);
    opener.current?.focus();
  };
  useCommands([reason === undefined && { name: 'Add note…', about: subscriber.username, run: open }]);
  useShortcuts(reason === undefined ? { note: open } : {});
  const lines = subscriber.note.split(/\r\n|[\r\n\u2028\u2029]/).filter((line) => line.trim() !== '');
  const pinned = lines.filter((line) => line.startsWith('!'));
  const others = lines.filter((line) => !line.startsWith('!'));
  const earlier = all ? 0 : Math.max(0, others.length - fewLines);
  return (
    <Section
      name="Notes"
      isChanged={props.changed.has('note')}
      tools={
        allowed && (
          <Button
            ref={opener}
            variant="quiet"
            small
            reason={reason}
            aria-expanded={adding}
            onClick={opened === true ? close : open}
          >
            {draft.line === '' || adding ? 'Add note' : 'Continue note'}
          </Button>
        )
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
      {adding && <AddNote {...props} draft={draft} takesFocus={opened === true} onClose={close} />}
    </Section>
  );
}

const unreadDraft = 'Couldn’t load the note that you may have begun. We’ll keep trying.';

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="stack breaks">
      {lines.map((line, index) => (
        // The same line can be there twice.
        <li key={`${index} ${line}`}>{shownLine(line)}</li>
      ))}
    </ul>
  );
}

/** A line without its mark, and with its day as the page shows days: “1 Jun 2026 Kari: …”. */
function shownLine(line: string): string {
  const [, day, rest = ''] = /^!?\s*(\d{4}-\d\d-\d\d)?(.*)$/s.exec(line) ?? [];
  const at = Date.parse(`${day}T12:00`);
  return (Number.isNaN(at) ? (day ?? '') : dayOf(at)) + rest;
}

const aboutNote = { done: 'the note was added', check: 'Check the notes' };

/** Asks for a line, which is saved with its day and author after the newest note. */
function AddNote(props: ShownRecord & { draft: OpenNoteDraft; takesFocus: boolean; onClose: () => void }) {
  const { subscriber, draft, takesFocus, onClose } = props;
  const text = draft.line;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const [submitted, setSubmitted] = useState(false);
  const name = useSession()?.staff.name ?? '';
  // What is pinned has to begin with its mark.
  const [, mark = '', rest = ''] = /^(!?)\s*(.*)$/s.exec(text.trim()) ?? [];
  const line = `${mark}${localDay(useNow())} ${name}: ${rest}`;
  const clear = () => {
    draft.write('');
    onClose();
  };
  const { add, busy, failure, saving } = useAddLine(props, () => {
    // Where the box was closed and opened again meanwhile, more may have been typed.
    if (draft.isStill(text)) clear();
  });
  const missing = rest === '' ? 'Enter a note.' : undefined;
  const error = missing ? submitted && missing : faultOf(withLine(subscriber.note, line));
  const submit = () => {
    setSubmitted(true);
    if (!busy && !missing && !error) add(line);
  };
  useShortcuts({ save: submit });
  return (
    <Form className="stack" onSubmit={submit}>
      <TextField
        label="New note"
        error={error || undefined}
        hint={
          missing ? (
            'Start with ! to keep it on top.'
          ) : (
            <span className="breaks">
              {shownLine(line)}
              {mark && ' · On top'}
              {/* Such as where the page was loaded anew while it was being saved. */}
              {!busy && endsWith(subscriber.note, line) && ` · ${alreadyThere}`}
            </span>
          )
        }
        ref={input}
        readOnly={busy}
        value={text}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || busy) return;
          // It would close the pane. What was typed stays for the next time.
          event.stopPropagation();
          onClose();
        }}
        onChange={draft.write}
      />
      <div className="row">
        <Button busy={busy} onClick={clear}>
          Discard
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {busy ? 'Saving…' : 'Save note'}
        </Button>
      </div>
      <div role="alert">
        <UnconfirmedNotice acting={saving} />
        {failure && <Notice tone="bad">{failure}</Notice>}
      </div>
    </Form>
  );
}

type OpenNoteDraft = ReturnType<typeof useNoteDraft>;

/** The line that is being written. It is kept as it is typed, so that neither another row nor a reload nor signing out loses it. */
function useNoteDraft(id: number, enabled: boolean) {
  const api = useApi();
  const { queryClient } = useApp();
  const query = noteDraftQuery(id);
  const { data: stored = '', ...read } = useQuery({ ...query, enabled });
  // The cache tells its observers a moment later, and an input would lose what is typed until then.
  const [typed, setTyped] = useState<string | null>(null);
  const line = typed ?? stored;
  const [keeper] = useState(() => createKeeper(api, noteForm(id)));
  useEffect(() => {
    const stopKeeping = onSavingDrafts(api, keeper.flush);
    return () => {
      stopKeeping();
      void keeper.flush();
    };
  }, [api, keeper]);
  const write = (next: string) => {
    setTyped(next);
    queryClient.setQueryData(query.queryKey, next);
    if (next.trim() === '') keeper.forget();
    else keeper.note({ line: next });
  };
  const isStill = (before: string) => (queryClient.getQueryData(query.queryKey) ?? before) === before;
  // One that can’t be read later either is given up.
  const isUnread = (read.isPending && read.errorUpdateCount > 0) || isPassing(read.error);
  return { line, write, isStill, isUnread };
}

/** The line that the user was writing for a subscriber who is gone. */
export function UnsavedNote({ id }: { id: number }) {
  const { data: line = '' } = useQuery(noteDraftQuery(id));
  if (line === '') return null;
  return (
    <Section name="Your unsaved note" tools={<CopyButton text={line} name="note" small />}>
      <p className="inset breaks">{line}</p>
    </Section>
  );
}

const withLine = (note: string, line: string) =>
  (note === '' || note.endsWith('\n') ? note : `${note}\n`) + line;

const endsWith = (note: string, line: string) => note === line || note.endsWith(`\n${line}`);

const alreadyThere = 'The notes already end with this line.';

/** The reason why a note cannot be saved; undefined if it can. */
function faultOf(note: string): string | undefined {
  const over = [...note].length - limits.note;
  if (over > 0)
    return `This is ${counted(over, 'character')} too long: all notes together can have ${grouped(limits.note)}. Shorten it, or edit the older notes.`;
  return SubscriberInput.shape.note.safeParse(note).error?.issues[0]?.message;
}

/** The number of newer notes that a line is appended to before the user is told. */
const attempts = 5;

/** Appends a line to the note, to the newest one if someone else has saved meanwhile. */
function useAddLine({ subscriber, etag }: Version, onAdded: () => void) {
  const { id, username } = subscriber;
  const { queryClient, toasts } = useApp();
  const isMounted = useIsMounted();
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
        await saving.send({ params: { id }, body: { note } }, { etag: newest.etag });
        return;
      } catch (error) {
        if (!isConflict(error) || attempt === attempts) throw error;
        newest = await queryClient.fetchQuery({ ...subscriberQuery(id), staleTime: 0 });
        // It may have been this change itself, whose answer was lost.
        if (endsWith(newest.data.note, line)) return void toasts.show('ok', text);
      }
    }
  }

  const adding = useMutation({
    mutationKey: ['addNote'],
    mutationFn: send,
    meta: { invalidates: [] },
    onSuccess: onAdded,
    onError: (error) => {
      if (!isMounted.current) toasts.show('bad', `${username}: ${describeFailure(error, aboutNote)}`);
    },
  });
  const { mutate: add, isPending: busy, error } = adding;
  return { add, busy, failure: error && describeFailure(error, aboutNote), saving };
}
