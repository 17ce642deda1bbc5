import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { clientOf } from '../api/client.ts';
import { activityQuery } from './journal-entry.tsx';
import { intervalAfterFailure } from '../api/errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { useApp, useNow } from '../components/app-context.ts';
import { Badge, nameOfPerson } from '../components/badge.tsx';
import { listWords, partLabels, partNames, type PartName } from './subscriber-fields.ts';

/** The time between two looks of an open pane at what others do, in ms. It does not while its window is hidden. */
const followEvery = 10_000;

/** One subscriber, read again and again. */
export const followedSubscriberQuery = (id: number) => {
  const query = subscriberQuery(id);
  return { ...query, refetchInterval: intervalUnlessFailed };
};

const intervalUnlessFailed = (query: Parameters<typeof intervalAfterFailure>[0]) =>
  query.state.error === null ? followEvery : intervalAfterFailure(query);

const editorsQuery = (id: number) =>
  queryOptions({
    queryKey: ['listEditors', id],
    queryFn: async ({ client, signal }) =>
      (await clientOf(client).listEditors({ params: { id } }, { signal })).data,
    refetchInterval: intervalUnlessFailed,
    // A name that is no longer true would be worse than none.
    gcTime: 0,
  });

/**
 * Describes what others do with a subscriber who is shown: in a line, and the fields that they changed.
 *
 * @param subscriber undefined until the whole record is loaded
 * @param markedFor the time for which a change is named, in ms
 */
export function useOthers(
  id: number,
  subscriber: SubscriberWithLists | undefined,
  markedFor = 60_000,
): { changed: ReadonlySet<PartName>; status: ReactNode } {
  const editing = useQuery({ ...editorsQuery(id), enabled: subscriber !== undefined });
  const editors = editing.data?.map(nameOfPerson) ?? [];
  const changes = useOthersChanges(id, subscriber, markedFor);
  const text = [
    ...(editors.length > 0 ? [`${listWords(editors)} ${editors.length === 1 ? 'is' : 'are'} editing`] : []),
    ...[...Map.groupBy(changes, ({ by }) => by)].map(
      ([by, fields]) => `${by ?? 'Someone'} changed ${listWords(fields.map(({ name }) => partLabels[name]))}`,
    ),
  ].join(' · ');
  return {
    changed: changes.length === 0 ? nothing : new Set(changes.map(({ name }) => name)),
    status: (
      <div role="status" title={text || undefined}>
        {text && <Badge tone="warn">{text}</Badge>}
      </div>
    ),
  };
}

/** Always the same, so that nothing is drawn anew for it. */
const nothing: ReadonlySet<PartName> = new Set();

/** The number of entries of the activity the pane shows. */
export const newestEntries = 5;

export const paneActivityQuery = (id: number) => activityQuery({ subscriberId: id, pageSize: newestEntries });

/** A field that someone else has changed while the subscriber was shown. */
interface ChangedField {
  name: PartName;
  /** Null if the activity does not say who. */
  by: string | null;
  /** The time at which it was noticed, in ms since the epoch. */
  at: number;
}

/** The fields that others have changed while this subscriber was shown. */
function useOthersChanges(
  id: number,
  subscriber: SubscriberWithLists | undefined,
  markedFor: number,
): ChangedField[] {
  const { queryClient, clock } = useApp();
  const now = useNow();
  const me = useSession()?.staff.id;
  const [last, setLast] = useState<SubscriberWithLists | null>(null);
  const [noticed, setNoticed] = useState<readonly PartName[]>([]);
  const [changes, setChanges] = useState<readonly ChangedField[]>([]);
  if (subscriber && last !== subscriber) {
    setLast(subscriber);
    const names = last ? partNames.filter((name) => !isSame(last[name], subscriber[name])) : [];
    if (names.length > 0) setNoticed(names);
  }
  useEffect(() => {
    if (noticed.length === 0 || !last) return;
    let isCurrent = true;
    const mark = async () => {
      // Without the activity, the user's own changes would be marked too.
      const query = { ...paneActivityQuery(id), staleTime: 0 };
      const activity = await queryClient.fetchQuery(query).catch(() => null);
      if (!isCurrent || !activity) return;
      const at = clock.now();
      const found = noticed.flatMap((name): ChangedField[] => {
        const entry = activity.items.find((item) => changedTo(item, name, last[name]));
        if (entry?.staff.id === me) return [];
        return [{ name, by: entry ? nameOfPerson(entry.staff) : null, at }];
      });
      setChanges((before) => [...before.filter(({ name }) => !noticed.includes(name)), ...found]);
    };
    void mark();
    return () => {
      isCurrent = false;
    };
  }, [noticed, last, id, me, queryClient, clock]);
  return changes.filter(({ at }) => now - at < markedFor);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** True if an entry is the change of a field to this value; one that still runs may be it already. */
function changedTo(entry: JournalEntry, name: PartName, value: unknown): boolean {
  if (entry.kind !== 'change' || (entry.outcome !== 'done' && entry.outcome !== 'unknown')) return false;
  return entry.after !== null && name in entry.after && isSame(entry.after[name], value);
}
