import { useQuery } from '@tanstack/react-query';
import { statusesQuery } from '../api/queries.ts';
import { Badge, type Tone } from '../ui/badge.tsx';

/** The look of the statuses that we know by name; a deployment's own ones are shown plainly. */
const tones: Partial<Record<string, Tone>> = { Active: 'ok', Suspended: 'warn', Blocked: 'bad' };

/** The name of a status; undefined as long as the names are not there, and for one that has none. */
export function useStatusName(id: number): string | undefined {
  const statuses = useQuery(statusesQuery).data;
  return statuses?.find((status) => status.id === id)?.name;
}

export function StatusBadge({ id }: { id: number }) {
  const name = useStatusName(id) ?? `Status ${id}`;
  return (
    <Badge tone={tones[name] ?? 'neutral'} dot>
      {name}
    </Badge>
  );
}
