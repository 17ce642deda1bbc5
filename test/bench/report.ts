export const say = (line = '') => void process.stdout.write(`${line}\n`);

/** A line of a table. */
export const row = (name: string, ...figures: readonly (string | number)[]) =>
  name.padEnd(68) + figures.map((figure) => String(figure).padStart(12)).join('');

type Unit = 'ms' | 'kB' | 'MB' | '×' | '';

/** Prints a figure and, where it has one, its budget: at most so much is well. True if it is within. */
export function show(name: string, value: number, unit: Unit, budget?: number): boolean {
  const text = (figure: number) => `${figure.toFixed(digits(figure, unit))} ${unit}`.trimEnd();
  if (budget === undefined) {
    say(row(name, text(value), '–'));
    return true;
  }
  const isWithin = value <= budget;
  say(`${row(name, text(value), text(budget))}  ${isWithin ? 'PASS' : 'over'}`);
  return isWithin;
}

function digits(figure: number, unit: Unit): number {
  if (Number.isInteger(figure) || figure >= 1000) return 0;
  // A layout shift has no unit, and small ones count.
  return { '': 5, '×': 2, ms: figure < 1 ? 3 : 1, kB: 1, MB: 1 }[unit];
}

/** The value that a share of the values is below: 0.5 for the median. */
function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);
export const p99 = (values: readonly number[]) => percentile(values, 0.99);

/** Milliseconds until the work is done. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Measures all subjects in each round, so that what else the machine does is the same for all of them. */
export async function inRounds<Name extends string, Subject, Figures>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
  measure: (subject: Subject, name: Name) => Promise<readonly Figures[]>,
): Promise<Record<Name, Figures[]>> {
  const names = Object.keys(subjects) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as Figures[]])) as Record<
    Name,
    Figures[]
  >;
  for (let round = 0; round < rounds; round += 1)
    for (const index of names.keys()) {
      // None is always the first.
      const name = names[(index + round) % names.length];
      if (name !== undefined) measured[name].push(...(await measure(subjects[name], name)));
    }
  return measured;
}
