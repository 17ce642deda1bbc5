import { memo, useState, type ReactNode } from 'react';
import { useNavigate, Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { listNames, statusOfActive } from '../../contract/service/limits.ts';
import type { SubscriberDetail, SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { usePermission, useSession } from '../api/session.ts';
import { Badge, PersonName } from '../components/badge.tsx';
import { useCommands, useNow, useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { relativeTime, counted } from '../components/format.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { isExpired } from '../subscriber/expiry.ts';
import { nameOfStatus, StatusBadge, useStatuses } from '../subscriber/status-badge.tsx';
import { listsMissing } from '../subscriber/subscriber-fields.ts';
import { PaneMessage } from './caller-message.tsx';
import {
  useEditDisabledReason,
  type ShownRecord,
  EditDialog,
  turnOn,
  type OfferedEdit,
  type Version,
} from './edit-record.tsx';
import { Extend } from './extend.tsx';
import { Details } from './details.tsx';
import { Notes } from './notes.tsx';
import { AccessToken } from './token-section.tsx';
import styles from './pane.module.css';
import { Notice } from '../components/notice.tsx';
import { Skeleton } from '../components/data-table.tsx';
import { describeCanWatch } from '../subscriber/can-watch.ts';
import { isNotFound } from '../api/errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { deselect } from '../subscriber/selection-store.ts';
import { doneToast, UndoNote, UndoEntry } from '../subscriber/undo.tsx';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { entryTitle, outcomeText, personOf, PartOfJob } from '../subscriber/journal-entry.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { newestEntries, paneActivityQuery } from '../subscriber/others.tsx';
import { Section } from './section.tsx';

/**
 * A subscriber's data, and what the user can do with it. Drawn for these alone: drawn also with each answer about what
 * others do, it took a third of all calls of opening a pane.
 */
export const SubscriberRecord = memo(function SubscriberRecord(
  props: Omit<ShownRecord, 'status' | 'waiting'>,
) {
  const { subscriber, complete } = props;
  // A change names the version on the screen, which comes with the whole record.
  const waiting = useSession() && complete ? undefined : 'Still loading this subscriber.';
  const shown = { ...props, waiting, status: nameOfStatus(subscriber.status, useStatuses()) };
  const isViewing = usePermission('updateSubscriber').reason !== undefined;
  return (
    <>
      {isViewing && <p className="aside">You can only view subscribers.</p>}
      <PlaybackStatus {...shown} />
      <Notes {...shown} />
      {!isViewing && <Extend {...shown} />}
      {complete && <PaneMessage subscriber={subscriber} />}
      <AccessToken {...shown} />
      <Details {...shown} tools={<CheckConnection {...shown} />} />
      <Activity id={subscriber.id} complete={complete} />
      {!isViewing && <Delete {...shown} />}
    </>
  );
});

/** The button that opens “Check a connection”, whose code is loaded then. */
function CheckConnection(props: ShownRecord) {
  const { subscriber, waiting } = props;
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const part = useLazyModule(() => import('./connection/check-dialog.tsx'), open, close);
  const disabledReason = useEditDisabledReason(props);
  // A list that is missing cannot be checked either.
  const isWhole = listNames.every((name) => subscriber[name] !== undefined);
  const reason = waiting ?? (isWhole ? undefined : listsMissing);
  const run = () => setOpen(true);
  useCommands([reason === undefined && { name: 'Check a connection…', about: subscriber.username, run }]);
  return (
    <>
      <Button variant="quiet" small reason={reason} onClick={run}>
        Check a connection…
      </Button>
      {open && isWhole && part && (
        <part.CheckDialog
          {...props}
          // It has all lists.
          subscriber={subscriber as SubscriberDetail}
          reason={disabledReason}
          onClose={close}
        />
      )}
    </>
  );
}

/** The status, the expiry and the plan of a subscriber, in a row below the name; and what others do, if there is room. */
export function Badges({ subscriber, others }: { subscriber: SubscriberWithLists; others: ReactNode }) {
  const now = useNow();
  const { expiresAt } = subscriber;
  const expired = isExpired(expiresAt, now);
  return (
    <div className={`row ${styles.badges}`}>
      <StatusBadge id={subscriber.status} statuses={useStatuses()} isExpired={expired} />
      <Badge tone={expired ? 'bad' : 'neutral'}>
        {expired ? 'Expired' : 'Expires'} {relativeTime(Date.parse(expiresAt), now)}
      </Badge>
      {subscriber.isTrial && <Badge tone="neutral">Trial</Badge>}
      {others}
    </div>
  );
}

const formats = ['hls', 'mpegTs'] as const;

/** True if the subscriber can watch, within which limits, and what can be done about it. */
function PlaybackStatus(props: ShownRecord) {
  const { subscriber, complete } = props;
  const now = useNow();
  const statusHelp = useSession()?.statusHelp;
  const { tone, sentence, limits } = describeCanWatch(subscriber, props.status, now, statusHelp);
  const isHeld = props.status !== undefined && props.status !== statusOfActive;
  const reason = useEditDisabledReason(props);
  const [offered, setOffered] = useState<OfferedEdit | null>(null);
  const { username } = subscriber;
  const { allowed } = usePermission('updateSubscriber');
  const missing = !allowed || subscriber.hls || subscriber.mpegTs ? [] : formats;
  const edits = missing.map((format) => turnOn(format, username));
  useCommands(
    edits.map(
      (edit) =>
        reason === undefined && { name: `${edit.action}…`, about: username, run: () => setOffered(edit) },
    ),
  );

  return (
    <section className="stack" aria-label="Can watch">
      <Notice tone={tone}>
        <div className={`${styles.playback} ${isHeld ? styles.held : ''}`}>
          <p>{sentence}</p>
          {/* As high while it loads, so that the buttons below stay where they are. */}
          <p className={styles.limits}>
            {limits === null && !complete && <Skeleton width={24} />}
            {limits === null &&
              complete &&
              'Limits are unknown: the subscriber service didn’t send all the lists.'}
            {limits === '' ? 'No limits on countries, networks or apps.' : limits}
          </p>
        </div>
      </Notice>
      {edits.length > 0 && (
        <div className="row">
          {edits.map((edit) => (
            <Button key={edit.action} variant="primary" reason={reason} onClick={() => setOffered(edit)}>
              {edit.action}…
            </Button>
          ))}
        </div>
      )}
      {offered && <EditDialog {...props} edit={offered} onClose={() => setOffered(null)} />}
    </section>
  );
}

/** The button that asks whether to delete a subscriber. */
function Delete(props: ShownRecord) {
  const { subscriber, waiting } = props;
  const [asking, setAsking] = useState(false);
  const { reason } = usePermission('deleteSubscriber');
  const run = () => setAsking(true);
  useCommands([(reason ?? waiting) === undefined && { name: 'Delete…', about: subscriber.username, run }]);
  return (
    <div className={styles.danger}>
      <Button variant="quiet-danger" reason={reason ?? waiting} onClick={run}>
        Delete…
      </Button>
      {asking && <DeleteDialog {...props} onClose={() => setAsking(false)} />}
    </div>
  );
}

function DeleteDialog(props: Version & { onClose: () => void }) {
  // The dialog is about the subscriber it was opened for, even if the page behind shows another one by now.
  const [{ subscriber, etag }] = useState(props);
  const { id, username, email } = subscriber;
  const navigate = useNavigate();
  const { queryClient, headingRef } = useApp();
  const removing = useAction('deleteSubscriber', {
    about: username,
    done: 'the subscriber was deleted',
    toast: (reply) => doneToast(queryClient, 'deleteSubscriber', reply, `${username} was deleted.`),
    onReply: () => deselect(queryClient, id),
    onFailure: (error) => isNotFound(error) && deselect(queryClient, id),
    onDone: async () => {
      await navigate({ to: '/subscribers', search: true, resetScroll: false });
      queryClient.removeQueries({ queryKey: subscriberQuery(id).queryKey });
      headingRef.current?.focus({ preventScroll: true });
    },
  });
  return (
    <ChangeDialog
      title={`Delete ${username}?`}
      action="Delete subscriber"
      busyAction="Deleting…"
      acting={removing}
      onConfirm={(reason) => void removing.run({ params: { id } }, { etag, reason })}
      onClose={props.onClose}
    >
      <p>
        This removes <strong>{username}</strong> (#{id}, {email}) with all its lists. Its access token stops
        working immediately.
      </p>
      <UndoNote operation="deleteSubscriber" />
    </ChangeDialog>
  );
}

/** The last changes of a subscriber, newest first; loaded after the record. */
function Activity({ id, complete }: { id: number; complete: boolean }) {
  const activity = useQuery({
    ...paneActivityQuery(id),
    enabled: complete,
  });
  const { data } = activity;
  return (
    <Section name="Activity" busy={activity.isPending}>
      {activity.isPending && !hasFailed(activity) && <Skeleton width={24} />}
      <ReadFailure what="the activity" read={activity} inline />
      {data?.items.length === 0 && <p className="aside">No changes yet</p>}
      {data && data.items.length > 0 && (
        <ul className="stack">
          {data.items.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data && data.totalCount > newestEntries && (
        <p className="aside">
          <Link to="/activity" search={{ subscriber: `#${id}` }}>
            Show all {counted(data.totalCount, 'entry', 'entries')}
          </Link>
        </p>
      )}
    </Section>
  );
}

function Entry({ entry }: { entry: JournalEntry }) {
  const change = entry.kind === 'change' ? entry : null;
  const isEdit = change?.operation === 'updateSubscriber';
  const isPlainEdit = isEdit && change.outcome === 'done' && change.undoOf === null;
  return (
    <li className={styles.entry}>
      <span className="muted">
        <RelativeTime at={entry.at} />
      </span>
      <div className="breaks">
        {!isPlainEdit && <span>{entryTitle(entry)} </span>}
        {isEdit && <ChangedFields entry={change} />}
        <span className="aside">
          by <PersonName person={personOf(entry)} />
          {change && change.undoneBy !== null && ' · undone'}
          {change && change.jobId !== null && ' · '}
          <PartOfJob entry={entry} />
        </span>
        {entry.outcome !== 'done' && <p className="aside">{outcomeText(entry)}</p>}
        {change && change.reason !== null && <p className="aside">“{change.reason}”</p>}
      </div>
      {change && <UndoEntry entry={change} />}
    </li>
  );
}
