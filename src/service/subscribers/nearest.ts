import { sql } from 'kysely';
import { Problem } from '../../contract/http/problem.ts';
import { nearKey } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { inSnapshot, isPostgres } from '../database.ts';
import type { ServiceDb } from '../schema.ts';
import { columnsWith, readWithLists, type Row } from './store.ts';
import { hasAnyOf } from './text-search.ts';

/** So many subscribers are compared at most for texts of one length: a short one may be part of every other name. */
const mostCompared = 100;

/** Least similarity of a name: a name of seven letters may have one or two others. */
const leastAlike = 0.46;

/**
 * Reads the subscribers whose username or email is most like a text, the most alike first. The search index finds those
 * that have long parts of it; of these, the most alike are chosen.
 */
export function readNearest(
  db: ServiceDb,
  text: string,
  count: number,
  signal?: AbortSignal,
): Promise<Subscriber[]> {
  const target = nearKey(text);
  const columns = sql.join(columnsWith().map((name) => sql.ref(name)));
  return inSnapshot(db, async (snapshot) => {
    // The planner expects that a scan finds enough of them soon, but often there are none.
    if (isPostgres(snapshot)) await sql`set local enable_seqscan = off`.execute(snapshot);
    const found = new Map<number, { subscriber: Subscriber; alike: number }>();
    for (const texts of textsNear(target)) {
      if (signal?.aborted) throw new Problem('busy', 'The client has disconnected.');
      const { rows } = await sql<Row>`
        select ${columns} from subscribers where ${hasAnyOf(snapshot, texts, mostCompared)}
        limit ${mostCompared}`.execute(snapshot);
      for (const subscriber of rows.map((row) => readWithLists(row))) {
        const names = [subscriber.username, subscriber.email].map(nearKey);
        const alike = Math.max(...names.map((name) => likeness(name, target)));
        if (alike >= leastAlike) found.set(subscriber.id, { subscriber, alike });
      }
      if (found.size >= count) break;
    }
    const sorted = [...found.values()].toSorted(
      (one, other) => other.alike - one.alike || one.subscriber.id - other.subscriber.id,
    );
    return sorted.slice(0, count).map(({ subscriber }) => subscriber);
  });
}

/**
 * The texts that names near a key have, most alike first: both sides of a separator or of one other letter, then ever
 * shorter parts. A text of several parts has each of them. No part is too short for the search index.
 */
function* textsNear(key: string): Generator<string[][]> {
  const letters = [...key];
  const { length } = letters;
  const part = (from: number, to = length) => letters.slice(from, to).join('');
  // What a look costs grows with the length, and of a long key the halves are few names' already.
  const step = length > 16 ? Math.ceil(length / 8) : 1;
  const between = letters.slice(1).flatMap((_, index) => {
    if (index % step !== 0) return [];
    const [before, after, later] = [part(0, index + 1), part(index + 1), part(index + 2)];
    const [left, right] = [index + 1, length - index - 1];
    if (left < 3 || right < 3) return ['.', '_', '-'].map((sign) => [before + sign + after]);
    return right > 3
      ? [
          [before, after],
          [before, later],
        ]
      : [[before, after]];
  });
  if (length >= 3) yield [[key], ...between];
  for (let size = length - 1; size >= Math.max(3, length / 3); size -= size > 8 ? Math.ceil(size / 4) : 1)
    yield Array.from({ length: length - size + 1 }, (_, from) => [part(from, from + size)]);
}

/**
 * From 0 to 1: how many pairs of neighbouring letters of a key are in another, and how many both have in common (Dice's
 * coefficient). So a part of a long name is alike, and a whole name more so.
 */
function likeness(name: string, target: string): number {
  const [names, pairs] = [pairsOf(name), pairsOf(target)];
  const common = pairs.intersection(names).size;
  return (common / Math.max(1, pairs.size) + (2 * common) / Math.max(1, pairs.size + names.size)) / 2;
}

function pairsOf(key: string): Set<string> {
  const letters = [...key];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
}
