import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { managerPassword, type Deployment } from './deployment.ts';
import { createDeskWriter } from './desk-writer.ts';

export type DeskLoad = Awaited<ReturnType<typeof loadDesks>>;

/**
 * People who write without a pause, each in a session of their own.
 *
 * @param ports where they send their changes, one after the other
 */
export async function loadDesks(
  { publicUrl, database }: Pick<Deployment, 'publicUrl' | 'database'>,
  ports: readonly number[],
  people = 8,
) {
  const desk = { publicUrl, ports, password: managerPassword };
  const names = Array.from({ length: people }, (_, index) => `writer-${index}`);
  const writers = await Promise.all(names.map((name) => createDeskWriter(name, desk)));
  const over = new AbortController();
  const writing = Promise.all(writers.map((writer) => writer.write(over.signal)));
  // It is awaited at the end, and fails there.
  writing.catch(() => over.abort());
  const all = () => writers.flatMap((writer) => writer.acknowledged);
  return {
    /** Number of changes that were acknowledged until now. */
    acknowledged: () => all().length,
    /**
     * Does something to the deployment, and waits until each writer has made a change that was sent afterwards.
     *
     * @returns how long the slowest change took from then on, until it was acknowledged, in ms
     */
    async outage(name: string, event: () => unknown): Promise<number> {
      const began = performance.now();
      await event();
      const ended = performance.now();
      const isOver = () => writers.every((writer) => (writer.acknowledged.at(-1)?.sent ?? 0) > ended);
      for (; !over.signal.aborted && !isOver(); await pause(10));
      const since = all().filter(({ at }) => at > began);
      const longest = since.map(({ sent, at }) => at - sent).toSorted((a, b) => b - a);
      const [most = 0, middle = 0] = [longest[0], longest[Math.floor(longest.length / 2)]];
      say(
        `${name}: the slowest change took ${seconds(most)}, the median of ${longest.length} ${seconds(middle)}`,
      );
      return most;
    },
    /**
     * Lets each writer finish. Then nothing acknowledged may be lost, and nothing may be done twice.
     *
     * @returns how often each refusal came; and as faults the subscribers whose number of changes is not that of the
     *   acknowledged ones, and all else that should not be
     */
    async end() {
      over.abort();
      await writing;
      const refused = Map.groupBy(
        writers.flatMap((writer) => writer.refusals),
        (what) => what,
      );
      const refusals = Object.fromEntries([...refused].map(([what, times]) => [what, times.length]));
      const changes = new Map<number, number>();
      // Where something is lost, two may have got the same id.
      for (const [id, times] of writers.flatMap((writer) => [...writer.changes]))
        changes.set(id, (changes.get(id) ?? 0) + times);
      const faults = writers.flatMap((writer) => writer.faults);
      faults.push(...(await countedFaults(database, changes)));
      say(`${all().length} changes acknowledged; refused before: ${JSON.stringify(refusals)}`);
      return { acknowledged: all().length, faults, refusals };
    },
  };
}

/** Figures, for the person who runs it. */
export const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Compares what the database has with what was acknowledged. */
async function countedFaults(database: string, changes: ReadonlyMap<number, number>): Promise<string[]> {
  const db = openPostgres(database);
  try {
    const query = sql<{ id: number; version: number }>`select id, version from subscribers`;
    const found = new Map((await query.execute(db)).rows.map(({ id, version }) => [id, version]));
    const ids = new Set([...changes.keys(), ...found.keys()]);
    const entries = sql<{ done: number }>`select count(*) as done from journal
      where kind = 'change' and outcome = 'done'`;
    const { done } = (await entries.execute(db)).rows[0] ?? { done: 0 };
    const all = [...changes.values()].reduce((sum, each) => sum + each, 0);
    return [
      ...[...ids].flatMap((id) => {
        const [made, requested] = [found.get(id) ?? 0, changes.get(id) ?? 0];
        return made === requested
          ? []
          : [`${id} was changed ${made} times, and ${requested} were acknowledged`];
      }),
      ...(done === all ? [] : [`the journal has ${done} changes, and ${all} were acknowledged`]),
    ];
  } finally {
    await db.destroy();
  }
}
