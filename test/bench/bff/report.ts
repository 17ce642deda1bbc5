import type { LoadResult } from '../load.ts';
import type { BenchOptions } from '../options.ts';
import { names } from './subjects.ts';

/** One subject in one round; processor time in microseconds for a request, memory in bytes. */
export interface Measured extends LoadResult {
  subject: string;
  connections: number;
  cpu: number;
  rss: readonly [before: number, after: number];
}

const columns = ['requests/s', 'of fastify', 'of bare', 'p50 ms', 'added', 'p99 ms', 'CPU µs', 'RSS MB'];

/** A table for each number of connections, of medians over the rounds. */
export function say(measured: readonly Measured[], options: Pick<BenchOptions, 'say'>): void {
  for (const [connections, rows] of Map.groupBy(measured, (row) => row.connections)) {
    options.say('');
    options.say(line([`${connections} connection${connections === 1 ? '' : 's'}`, ...columns]));
    const bySubject = Map.groupBy(rows, ({ subject }) => subject);
    const of = (name: string, figure: (row: Measured) => number) => median(bySubject.get(name) ?? [], figure);
    for (const [name, own] of bySubject) {
      const perSecond = of(name, rate);
      const p50 = of(name, ({ p50: half }) => half);
      options.say(
        line([
          name,
          perSecond.toFixed(0),
          (perSecond / of(names.fastify, rate)).toFixed(2),
          (perSecond / of(names.bare, rate)).toFixed(2),
          p50.toFixed(2),
          (p50 - of(names.bare, (row) => row.p50)).toFixed(2),
          of(name, ({ p99 }) => p99).toFixed(2),
          of(name, ({ cpu }) => cpu).toFixed(0),
          `${megabytes(own[0]?.rss[0])}–${megabytes(own.at(-1)?.rss[1])}`,
        ]),
      );
    }
  }
}

const rate = ({ perSecond }: Measured) => perSecond;

function median(rows: readonly Measured[], figure: (row: Measured) => number): number {
  const sorted = rows.map(figure).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function megabytes(bytes = 0): string {
  return (bytes / 1024 / 1024).toFixed(0);
}

function line([name = '', ...figures]: readonly string[]): string {
  return name.padEnd(24) + figures.map((figure) => figure.padStart(11)).join('');
}
