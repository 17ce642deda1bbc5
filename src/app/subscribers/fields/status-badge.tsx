import { useQuery } from '@tanstack/react-query';
import type { Status } from '../../../contract/service/subscriber.ts';
import { statusesQuery } from '../../api/queries.ts';
import { Badge, type Tone } from '../../components/badge.tsx';

/** The look of the statuses that we know by name; a deployment's own ones are shown plainly. */
const tones: Partial<Record<string, Tone>> = { Active: 'ok', Suspended: 'warn', Blocked: 'bad' };

/** All of them; undefined as long as they are not there. */
export const useStatuses = (): readonly Status[] | undefined => useQuery(statusesQuery).data;

/** Undefined as long as the names are not there, and for a status that has none. */
export const nameOfStatus = (id: number, statuses: readonly Status[] | undefined): string | undefined =>
  statuses?.find((status) => status.id === id)?.name;

/** It is given the statuses, not asking for them: a list has many badges. */
export function StatusBadge({ id, statuses }: { id: number; statuses: readonly Status[] | undefined }) {
  const name = nameOfStatus(id, statuses) ?? `Status ${id}`;
  return (
    <Badge tone={tones[name] ?? 'neutral'} dot>
      {name}
    </Badge>
  );
}
