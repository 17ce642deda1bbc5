export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * The best encoding that both sides have (RFC 9110 section 12.5.3): the heaviest by the browser's weights, and of
 * equals the smallest. `identity` where nothing else fits, even if the browser refuses it: better than no page.
 */
export function chooseEncoding(
  header: string | null,
  offered: Readonly<Partial<Record<Encoding, unknown>>>,
): Encoding {
  const weights = readWeights(header ?? '');
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const usable = (['br', 'gzip'] as const).filter((encoding) => offered[encoding] && weightOf(encoding) > 0);
  const [best] = usable.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best ?? 'identity';
}

/** `gzip;q=0.5, br` → gzip 0.5, br 1. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    if (name) weights.set(name, Number.isFinite(Number(weight)) ? Number(weight) : 0);
  }
  return weights;
}
