/** A sample of Prometheus' text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/**
 * Reads the samples of a text of version 0.0.4, as Prometheus' own library writes it.
 *
 * @throws if a line is no sample, or its value no number
 */
export function readExposition(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (Number.isNaN(Number(value))) throw new Error(`This is no sample with a number: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return {
      name,
      labels: Object.fromEntries(pairs.map(([, key, quoted]) => [key, quoted])),
      value: Number(value),
    };
  });
}
