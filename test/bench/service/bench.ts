import { loadavg } from 'node:os';
import type { Bench, BenchOptions } from '../options.ts';
import { casesFor, type Case } from './cases.ts';
import { measureOthers } from './others.ts';
import { percentiles } from './percentiles.ts';
import { startSubject, type Subject } from './subject.ts';
import { measureWrites } from './writes.ts';

/** The service on a large database, on each engine: each kind of read, what slow reads do to others, and writes a second. */
export const benchService: Bench = async (options) => {
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const subject = await startSubject(engine, options.rows);
    try {
      await measure(subject, options);
    } finally {
      await subject.stop();
    }
  }
};

async function measure(subject: Subject, options: BenchOptions): Promise<void> {
  const { engine, filled } = subject;
  const { rows, say } = options;
  say('');
  say(`${engine}: ${rows} subscribers, filled in ${filled.toFixed(1)} s; load ${loadavg()[0]?.toFixed(1)}`);
  say(line('', 'rows', 'p50 ms', 'p99 ms', 'target ms'));
  for (const each of await casesFor(subject, rows)) {
    const { found, p50, p99 } = await timeCase(each, options.seconds);
    const target = each.target?.[engine];
    const missed = target !== undefined && p50 > target ? '  missed' : '';
    say(line(each.name, found, p50.toFixed(3), p99.toFixed(3), target ?? '') + missed);
  }
  for (const { name, p50, p99, target } of await measureOthers(subject, options.seconds))
    say(line(name, '', p50.toFixed(3), p99.toFixed(3), target) + (p99 > target ? '  missed (p99)' : ''));
  const { perSecond, p50, p99 } = await measureWrites(subject, options.seconds);
  say(`8 writers: ${perSecond.toFixed(0)} writes/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
  say(`load ${loadavg()[0]?.toFixed(1)}`);
}

const most = 1000;
const least = 15;
/** How long each case runs before it is measured, in ms, so that its code is compiled. */
const warming = 100;

/** As often as fits into the time, at least a few times. The median is what the case costs beside whatever else runs. */
async function timeCase({ run }: Case, seconds: number) {
  const times: number[] = [];
  let found = 0;
  const warmEnd = performance.now() + warming;
  for (let warm = 0; warm < least || performance.now() < warmEnd; warm += 1)
    found = Math.max(found, await run(warm));
  const end = performance.now() + (seconds * 1000) / 3;
  for (let round = 0; round < most && (round < least || performance.now() < end); round += 1) {
    const began = performance.now();
    found = Math.max(found, await run(round));
    times.push(performance.now() - began);
  }
  return { found, ...percentiles(times) };
}

function line(name: string, ...figures: readonly (string | number)[]): string {
  return name.padEnd(52) + figures.map((figure) => String(figure).padStart(11)).join('');
}
