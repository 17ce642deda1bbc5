/** A sample of Prometheus' text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const value = String.raw`(?:[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\+Inf|-Inf|NaN)`;
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
const helpLine = new RegExp(`^# HELP (${name}) (?:[^\\\\\\n]|\\\\[\\\\n])*$`);
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`);
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (${value})$`);

/**
 * Reads a text of version 0.0.4 and takes nothing that is not in its grammar: a HELP and a TYPE before the samples of
 * a family, all its samples together, none twice, and histograms whose buckets rise and end in the count. Empty lines
 * mean nothing in it.
 */
export function readExposition(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const lines = text.split('\n').filter((line) => line !== '');
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  let family = '';
  for (const line of lines) {
    const help = helpLine.exec(line)?.[1];
    const [, typed, type = ''] = typeLine.exec(line) ?? [];
    const sample = sampleLine.exec(line);
    if (help !== undefined) family = fresh(help, types);
    else if (typed !== undefined && typed === family) types.set(family, type);
    else if (sample && belongs(sample[1] ?? '', family, types.get(family)))
      samples.push({ name: sample[1] ?? '', labels: readLabels(sample[2] ?? ''), value: Number(sample[3]) });
    else throw new Error(`This is not in the grammar: ${line}`);
  }
  const keys = samples.map(keyOf);
  if (new Set(keys).size < keys.length) throw new Error('A series is there twice.');
  for (const [of, type] of types) if (type === 'histogram') checkHistogram(of, samples);
  return samples;
}

/** Identifies a series; the order of its labels does not matter. */
function keyOf({ name: of, labels }: Sample): string {
  const pairs = Object.entries(labels).map((pair) => pair.join('='));
  return [of, ...pairs.toSorted((one, other) => (one < other ? -1 : 1))].join(',');
}

function fresh(family: string, types: ReadonlyMap<string, string>): string {
  if (types.has(family)) throw new Error(`The family ${family} is there twice.`);
  return family;
}

function belongs(sample: string, family: string, type: string | undefined): boolean {
  if (type === 'histogram') return ['_bucket', '_sum', '_count'].some((end) => sample === family + end);
  return type !== undefined && sample === family;
}

function readLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, key = '', quoted = '']) => [key, quoted]));
}

/** What tells a histogram from those with other labels. */
const seriesOf = ({ labels }: Sample) => keyOf({ name: '', labels: { ...labels, le: '' }, value: 0 });

function checkHistogram(family: string, samples: readonly Sample[]): void {
  const of = (end: string) => samples.filter((sample) => sample.name === family + end);
  for (const count of of('_count')) {
    const buckets = of('_bucket').filter((bucket) => seriesOf(bucket) === seriesOf(count));
    const values = [...buckets.map((bucket) => bucket.value), count.value];
    const ends = buckets.map(({ labels }) => Number(labels['le']?.replace('+Inf', 'Infinity')));
    const rises = (list: readonly number[]) => list.every((each, index) => each >= (list[index - 1] ?? 0));
    if (!rises(values) || !rises(ends) || ends.at(-1) !== Infinity || buckets.at(-1)?.value !== count.value)
      throw new Error(`The buckets of ${family} are no histogram.`);
  }
}
