import type { BenchOptions } from '../options.ts';

/** A figure and, where it has one, its budget: at most so much is well. */
export interface Figure {
  name: string;
  value: number;
  unit: 'ms' | 'kB' | 'MB' | 'requests' | '×' | '';
  budget?: number;
}

/** The median of the dashboard as a multiple of the plain page's, both of which are said too, in ms. */
export function ratio(
  name: string,
  { app, plain }: Readonly<Record<'app' | 'plain', readonly number[]>>,
  budget: number,
): Figure {
  const [ours, theirs] = [median(app), median(plain)];
  return {
    name: `${name}: ${ours.toFixed(0)} ms, plain page ${theirs.toFixed(0)} ms`,
    value: ours / theirs,
    unit: '×',
    budget,
  };
}

export function sayHeading({ say }: Pick<BenchOptions, 'say'>, kind = 'median'): void {
  say('');
  say(line('', kind, 'budget', ''));
}

/** Each as soon as it is known: all of them take minutes. */
export function sayFigures(figures: readonly Figure[], { say }: Pick<BenchOptions, 'say'>): void {
  for (const { name, value, unit, budget } of figures) {
    const verdict = budget === undefined ? '' : value <= budget ? 'PASS' : 'over';
    say(line(name, show(value, unit), budget === undefined ? '–' : show(budget, unit), verdict));
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A layout shift has no unit, and small ones count. */
const digits = (value: number, unit: Figure['unit']) =>
  unit === '' ? 5 : unit === '×' ? 2 : unit === 'requests' || value >= 1000 ? 0 : 1;
const show = (value: number, unit: Figure['unit']) =>
  `${value.toFixed(digits(value, unit))} ${unit === 'requests' ? '' : unit}`.trimEnd();

const line = (name: string, figure: string, budget: string, verdict: string) =>
  `${name.padEnd(68)}${figure.padStart(12)}${budget.padStart(12)}  ${verdict}`;
