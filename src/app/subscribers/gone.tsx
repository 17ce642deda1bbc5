import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { activityQuery } from '../api/client.ts';
import { usePermission } from '../api/session.ts';
import { buttonClass } from '../components/button.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import { localTime } from '../components/time.ts';
import styles from './gone.module.css';

/** Shown for a subscriber that does not exist; says who deleted it, if the activity tells. */
export function Gone({ id }: { id: number }) {
  const deletions = { subscriberId: id, operation: 'deleteSubscriber', pageSize: 5 } as const;
  const { allowed, reason } = usePermission('seeDeletedSubscribers');
  const activity = useQuery({ ...activityQuery(deletions), enabled: allowed });
  const deletion = activity.data?.items.find(({ outcome }) => outcome === 'done');
  const isAllKnown = allowed ? !activity.isPending : reason !== undefined;
  return (
    <div className={styles.gone} role="status">
      <h3>This subscriber doesn’t exist</h3>
      {deletion && (
        <p>
          {nameOfPerson(deletion.staff)} deleted {deletion.username} on {localTime(Date.parse(deletion.at))}.{' '}
          <Link to="/activity" search={{ subscriber: `#${id}` }}>
            See the entry
          </Link>
        </p>
      )}
      {!deletion && isAllKnown && <p>It may have been deleted, or the link is wrong.</p>}
      <Link to="/subscribers" search={true} className={buttonClass()}>
        Back to the list
      </Link>
    </div>
  );
}
