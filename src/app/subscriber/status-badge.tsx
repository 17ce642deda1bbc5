import { useQuery } from '@tanstack/react-query';
import { statusOfActive, type Status } from '../../contract/service/subscriber.ts';
import { statusesQuery } from '../api/queries.ts';
import { Badge, type Tone } from '../components/badge.tsx';

/** The colours of the statuses known by name; those that a deployment adds are neutral. */
const tones: Partial<Record<string, Tone>> = { [statusOfActive]: 'ok', Suspended: 'warn', Blocked: 'bad' };

/** All statuses; undefined while they load. */
export const useStatuses = (): readonly Status[] | undefined => useQuery(statusesQuery).data;

/** The name of a status; undefined while the names load, and for a status without one. */
export const nameOfStatus = (id: number, statuses: readonly Status[] | undefined): string | undefined =>
  statuses?.find((status) => status.id === id)?.name;

/** Gets the statuses as a prop instead of reading them: a list has many badges. */
export function StatusBadge({ id, statuses }: { id: number; statuses: readonly Status[] | undefined }) {
  const name = nameOfStatus(id, statuses) ?? `Status ${id}`;
  return (
    <Badge tone={tones[name] ?? 'neutral'} dot>
      {name}
    </Badge>
  );
}
