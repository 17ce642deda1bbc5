import { memo, useState, type ReactNode } from 'react';
import { listNames } from '../../contract/service/limits.ts';
import type { SubscriberDetail, SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { usePermission, useSession } from '../api/session.ts';
import { Badge } from '../components/badge.tsx';
import { useCommands, useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { relativeTime } from '../components/time.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { isExpired } from '../subscriber/expiry.ts';
import { nameOfStatus, StatusBadge, useStatuses } from '../subscriber/status-badge.tsx';
import { listsMissing } from '../subscriber/subscriber-fields.ts';
import { Activity } from './activity.tsx';
import { Delete } from './delete.tsx';
import { PaneMessage } from './caller-message.tsx';
import { useEditDisabledReason, type ShownRecord } from './edit-record.tsx';
import { Extend } from './extend.tsx';
import { Details } from './details.tsx';
import { Notes } from './notes.tsx';
import { AccessToken } from './token-section.tsx';
import { PlaybackStatus } from './playback-status.tsx';
import styles from './pane.module.css';

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
