import type { ActivityQuery, JournalEntry } from '../../contract/bff/journal.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import { desk } from '../api/client.ts';

/**
 * All entries that a filter matches, newest first. What is written meanwhile comes after a time that is fixed at the
 * start, by the desk's own clock, so that it shifts nothing.
 *
 * @param onProgress called after each page
 */
export async function walkActivity(
  query: ActivityQuery,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<JournalEntry[]> {
  const { page: _, pageSize: __, ...filter } = query;
  const load = async (more: ActivityQuery) =>
    (await desk.listActivity({ query: { ...filter, ...more } }, { signal })).data;
  const [newest] = (await load({ pageSize: 1 })).items;
  if (!newest) return [];
  const to = new Date(Date.parse(newest.at) + 1).toISOString();
  const found = new Map<string, JournalEntry>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { items, totalCount, totalPages } = await load({ to, page, pageSize: pageSizes.most });
    for (const entry of items) found.set(entry.id, entry);
    pages = totalPages;
    onProgress(found.size, totalCount);
  }
  return [...found.values()];
}
