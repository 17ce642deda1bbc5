import { Link } from '@tanstack/react-router';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import { usePermission } from '../api/session.ts';

/** The subscriber whom an entry or a row is about, as a link. */
export function AboutWhom(props: { entry: Pick<JournalEntry, 'subscriberId' | 'username'> }) {
  const { subscriberId: id, username } = props.entry;
  if (id === null) return username;
  return (
    <Link to="/subscribers/$id" params={{ id }}>
      {username || `#${id}`}
    </Link>
  );
}

/** Says that a job made a change; with a link, for those who may see jobs. Nothing for other changes. */
export function PartOfJob({ entry }: { entry: JournalEntry }) {
  const { allowed } = usePermission('runJobs');
  const id = entry.kind === 'change' ? entry.jobId : null;
  if (id === null) return null;
  if (!allowed) return <>part of a job</>;
  return (
    <Link to="/jobs/$id" params={{ id }}>
      part of a job
    </Link>
  );
}
