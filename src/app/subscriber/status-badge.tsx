import { useQuery } from '@tanstack/react-query';
import { statusOfActive } from '../../contract/service/limits.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { statusesQuery } from '../api/queries.ts';
import { Badge, type Tone } from '../components/badge.tsx';

/** The colours of the statuses known by name; those that a deployment adds are neutral. */
const tones: Partial<Record<string, Tone>> = { [statusOfActive]: 'ok', Suspended: 'warn', Blocked: 'bad' };

/** All statuses; undefined while they load. */
export const useStatuses = (): readonly Status[] | undefined => useQuery(statusesQuery).data;

/** The name of a status; undefined while the names load, and for a status without one. */
export const nameOfStatus = (id: number, statuses: readonly Status[] | undefined): string | undefined =>
  statuses?.find((status) => status.id === id)?.name;

/**
 * Gets the statuses as a prop instead of reading them: a list has many badges.
 *
 * @param props.isExpired then Active is not green, because the subscriber can't watch
 */
export function StatusBadge(props: {
  id: number;
  statuses: readonly Status[] | undefined;
  isExpired: boolean;
}) {
  const name = nameOfStatus(props.id, props.statuses) ?? `Status ${props.id}`;
  const tone = tones[name] ?? 'neutral';
  return (
    <Badge tone={props.isExpired && tone === 'ok' ? 'neutral' : tone} dot>
      {name}
    </Badge>
  );
}
