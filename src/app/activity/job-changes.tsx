import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import { activityQuery } from '../subscriber/activity-queries.ts';
import { ReadFailure, useList } from '../api/read-failure.tsx';
import { usePermission } from '../api/session.ts';
import { DeletedFields } from '../subscriber/deleted-record.tsx';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { entryTitle, outcomeText } from '../subscriber/journal-entry.tsx';
import { AboutWhom } from '../subscriber/part-of-job.tsx';
import { Button } from '../components/button.tsx';
import { Pager } from '../components/pager.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import styles from './job-changes.module.css';

/** The changes that a job made, loaded when somebody unfolds its entry, and a link to the job. */
export function JobChanges({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { allowed } = usePermission('runJobs');
  return (
    <div className={`stack ${styles.job}`}>
      <div className="row">
        <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide changes' : 'Show changes'}
        </Button>
        {allowed && (
          <Link to="/jobs/$id" params={{ id }}>
            Open the job
          </Link>
        )}
      </div>
      {isOpen && <Changes id={id} />}
    </div>
  );
}

function Changes({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const { data, read, hasFailed } = useList(activityQuery({ job: id, page, pageSize: 10 }));
  return (
    <>
      {!data && !hasFailed && <Skeleton width={24} />}
      <ReadFailure what="the changes" read={read} inline />
      {data?.items.length === 0 && <p>No changes yet</p>}
      {data && data.items.length > 0 && (
        <ul className={styles.changes} aria-label="Changes of this job">
          {data.items.map((entry) => (
            <Change key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data && data.totalPages > 1 && <Pager shown={data} page={page} onTurn={setPage} />}
    </>
  );
}

function Change({ entry }: { entry: JournalEntry }) {
  const { outcome } = entry;
  return (
    <li>
      <AboutWhom entry={entry} /> {entryTitle(entry)}
      {entry.kind === 'change' && entry.operation === 'updateSubscriber' && <ChangedFields entry={entry} />}
      {entry.kind === 'change' && entry.operation === 'deleteSubscriber' && <DeletedFields entry={entry} />}
      {outcome !== 'done' && <p>{outcomeText(entry)}</p>}
    </li>
  );
}
