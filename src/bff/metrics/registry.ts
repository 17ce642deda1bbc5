/** The values of a family's labels, each from a set that the program bounds: never a name, an id or an address. */
export type Labels = Readonly<Record<string, string>>;

export interface Registry {
  counter(name: string, help: string): { add(labels?: Labels): void };
  /** @param bounds upper ends of the buckets, rising; one without an end follows them */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
  ): { observe(labels: Labels, value: number): void };
  /** A value that is read when somebody asks. */
  reading(kind: 'gauge' | 'counter', name: string, help: string, read: () => number): void;
  /** All families in Prometheus' text format, version 0.0.4. */
  write: () => string;
}

/** What Prometheus reads (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export const textFormat = 'text/plain; version=0.0.4; charset=utf-8';

export function createRegistry(): Registry {
  const families: (() => string[])[] = [];
  const family = (kind: string, name: string, help: string, samples: () => string[]) =>
    families.push(() => [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...samples()]);

  return {
    counter(name, help) {
      const series = createSeries(() => ({ count: 0 }));
      family('counter', name, help, () =>
        series.all().map(({ labels, count }) => `${name}${writeLabels(labels)} ${count}`),
      );
      return { add: (labels = {}) => void (series.of(labels).count += 1) };
    },
    histogram(name, help, bounds) {
      const series = createSeries(() => ({
        sum: 0,
        count: 0,
        buckets: bounds.map((end) => ({ end, count: 0 })),
      }));
      family('histogram', name, help, () => series.all().flatMap((one) => writeHistogram(name, one)));
      return {
        observe(labels, value) {
          const one = series.of(labels);
          one.sum += value;
          one.count += 1;
          for (const bucket of one.buckets) if (value <= bucket.end) bucket.count += 1;
        },
      };
    },
    reading: (kind, name, help, read) => void family(kind, name, help, () => [`${name} ${read()}`]),
    write: () => `${families.flatMap((lines) => lines()).join('\n')}\n`,
  };
}

/** What is counted for each set of labels, found by their values: those who count always name the same labels. */
function createSeries<Counts extends object>(begin: () => Counts) {
  const known = new Map<string, Counts & { labels: Labels }>();
  return {
    all: () => [...known.values()],
    of(labels: Labels) {
      const key = JSON.stringify(Object.values(labels));
      const one = known.get(key) ?? { ...begin(), labels };
      known.set(key, one);
      return one;
    },
  };
}

interface Histogram {
  readonly labels: Labels;
  readonly buckets: { readonly end: number; count: number }[];
  sum: number;
  count: number;
}

/** Buckets count what is at most their end, so each holds the one before it. */
function writeHistogram(name: string, { labels, buckets, sum, count }: Histogram): string[] {
  const lines = [...buckets, { end: '+Inf', count }].map(
    (bucket) => `${name}_bucket${writeLabels({ ...labels, le: String(bucket.end) })} ${bucket.count}`,
  );
  const own = writeLabels(labels);
  return [...lines, `${name}_sum${own} ${sum}`, `${name}_count${own} ${count}`];
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escape = (value: string) => value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
