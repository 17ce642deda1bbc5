import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { managerPassword, type Deployment } from './deployment.ts';
import { createDeskCaller } from './desk-caller.ts';
import { createDeskWriter } from './desk-writer.ts';

export interface DeskLoad {
  /**
   * Does something to the deployment, and waits until each writer has made a change that was sent afterwards.
   *
   * @returns how long the slowest change took from then on, until it was acknowledged, in ms
   */
  outage: (name: string, event: () => unknown) => Promise<number>;
  /** How many changes were acknowledged until now. */
  acknowledged: () => number;
  /** Lets each writer finish. Then nothing acknowledged may be lost, and nothing may be done twice. */
  end: () => Promise<Verdict>;
}

export interface Verdict {
  acknowledged: number;
  /** Subscribers whose number of changes is not that of the acknowledged ones, and all else that should not be. */
  faults: string[];
  /** How often each refusal came. */
  refusals: Record<string, number>;
}

/**
 * Eight people who write without a pause, each in a session of their own.
 *
 * @param ports where they send their changes, one after the other
 */
export async function loadDesks(
  { publicUrl, database }: Deployment,
  ports: readonly number[],
): Promise<DeskLoad> {
  const writers: ReturnType<typeof createDeskWriter>[] = [];
  for (let index = 0; index < 8; index += 1) {
    const caller = createDeskCaller(publicUrl);
    onTestFinished(() => caller.close());
    expect(await caller.signIn(ports[index % ports.length] ?? 0, managerPassword)).toBe(200);
    writers.push(createDeskWriter(`writer-${index}`, caller, ports));
  }
  const over = new AbortController();
  const writing = Promise.all(writers.map((writer) => writer.write(() => over.signal.aborted)));
  // It is awaited at the end, and fails there.
  writing.catch(() => over.abort());
  const seen = writers.map((writer) => writer.seen);
  const acknowledged = () => seen.reduce((sum, each) => sum + each.acknowledged.length, 0);
  const until = async (isSo: () => boolean) => {
    for (; !over.signal.aborted && !isSo(); await pause(10));
  };
  return {
    acknowledged,
    async outage(name, event) {
      const began = performance.now();
      await event();
      const ended = performance.now();
      await until(() => seen.every((each) => (each.acknowledged.at(-1)?.sent ?? 0) > ended));
      const since = seen.flatMap((each) => each.acknowledged.filter(({ at }) => at > began));
      const longest = since.map(({ sent, at }) => at - sent).toSorted((a, b) => b - a);
      const [most = 0, middle = 0] = [longest[0], longest[Math.floor(longest.length / 2)]];
      say(
        `${name}: the slowest change took ${seconds(most)}, the median of ${longest.length} ${seconds(middle)}`,
      );
      return most;
    },
    async end() {
      over.abort();
      await writing;
      const refusals: Record<string, number> = {};
      for (const [what, times] of seen.flatMap((each) => [...each.refusals]))
        refusals[what] = (refusals[what] ?? 0) + times;
      const changes = new Map<number, number>();
      // Where something is lost, two may have got the same id.
      for (const [id, times] of writers.flatMap((writer) => [...writer.changes]))
        changes.set(id, (changes.get(id) ?? 0) + times);
      const faults = [...seen.flatMap((each) => each.faults), ...(await countedFaults(database, changes))];
      say(`${acknowledged()} changes acknowledged; refused before: ${JSON.stringify(refusals)}`);
      return { acknowledged: acknowledged(), faults, refusals };
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
        const [made, wanted] = [found.get(id) ?? 0, changes.get(id) ?? 0];
        return made === wanted ? [] : [`${id} was changed ${made} times, and ${wanted} were acknowledged`];
      }),
      ...(done === all ? [] : [`the journal has ${done} changes, and ${all} were acknowledged`]),
    ];
  } finally {
    await db.destroy();
  }
}
