import { useRef, useState } from 'react';
import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { usePermission, useSession } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { useCommands, useNow } from '../../components/app-context.ts';
import { relativeTime } from '../../components/time.ts';
import { isExpired } from '../fields/expiry.ts';
import { nameOfStatus, StatusBadge, useStatuses } from '../fields/status-badge.tsx';
import { Activity } from './activity.tsx';
import { CheckConnection } from './check-button.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { Extend } from './extend.tsx';
import { Facts } from './facts.tsx';
import { Notes } from './notes.tsx';
import { AccessToken } from './access-token.tsx';
import { Verdict } from './verdict.tsx';
import styles from './pane.module.css';

/** A subscriber's data, and what the user can do with it. */
export function SubscriberRecord(props: {
  subscriber: SubscriberWithLists;
  etag: string | null;
  complete: boolean;
}) {
  const { subscriber, etag } = props;
  // A change names the version on the screen, which comes with the whole record.
  const session = useSession();
  const waiting = session && props.complete ? undefined : 'Still loading this subscriber.';
  const now = useNow();
  const statuses = useStatuses();
  const statusName = nameOfStatus(subscriber.status, statuses);
  const extend = useRef<HTMLDivElement>(null);
  return (
    <>
      <div className={styles.badges}>
        <StatusBadge id={subscriber.status} statuses={statuses} />
        <ExpiryBadge expiresAt={subscriber.expiresAt} now={now} />
        {subscriber.isTrial && <Badge tone="neutral">Trial</Badge>}
      </div>
      <Verdict
        key={`verdict-${subscriber.id}`}
        subscriber={subscriber}
        etag={etag}
        complete={props.complete}
        waiting={waiting}
        status={statusName}
        onExtend={() => extend.current?.querySelector('button')?.focus()}
      />
      <Notes key={`notes-${subscriber.id}`} subscriber={subscriber} etag={etag} waiting={waiting} />
      <div ref={extend}>
        <Extend key={`extend-${subscriber.id}`} subscriber={subscriber} etag={etag} waiting={waiting} />
      </div>
      <AccessToken key={subscriber.id} subscriber={subscriber} etag={etag} waiting={waiting} />
      <CheckConnection
        key={`check-${subscriber.id}`}
        subscriber={subscriber}
        etag={etag}
        waiting={waiting}
        status={statusName}
      />
      <Facts
        subscriber={subscriber}
        complete={props.complete}
        status={statusName}
        statusHelp={session?.statusHelp}
      />
      <Activity key={`activity-${subscriber.id}`} id={subscriber.id} complete={props.complete} />
      <Delete subscriber={subscriber} etag={etag} waiting={waiting} />
    </>
  );
}

function ExpiryBadge({ expiresAt, now }: { expiresAt: string; now: number }) {
  const relative = relativeTime(Date.parse(expiresAt), now);
  return isExpired(expiresAt, now) ? (
    <Badge tone="bad">Expired {relative}</Badge>
  ) : (
    <Badge tone="neutral">Expires {relative}</Badge>
  );
}

function Delete(props: {
  subscriber: SubscriberWithLists;
  etag: string | null;
  waiting: string | undefined;
}) {
  const { subscriber, etag, waiting } = props;
  const [asking, setAsking] = useState(false);
  const { reason } = usePermission('deleteSubscriber');
  const run = () => setAsking(true);
  useCommands([(reason ?? waiting) === undefined && { name: 'Delete…', about: subscriber.username, run }]);
  return (
    <div className={styles.danger}>
      <Button look="quiet-danger" reason={reason ?? waiting} onClick={run}>
        Delete…
      </Button>
      {asking && <DeleteDialog subscriber={subscriber} etag={etag} onClose={() => setAsking(false)} />}
    </div>
  );
}
