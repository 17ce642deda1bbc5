import { Refusal } from './refusal.ts';

export type PathValues = Readonly<Record<string, string>>;

/** A method and a path template of an endpoint table. */
export interface RouterRow {
  readonly method: string;
  readonly path: string;
}

export interface Match<R> {
  /** The path template. */
  readonly path: string;
  /** Null where the path takes other methods. */
  readonly route: R | null;
  /** What the names in the template stand for, decoded. */
  readonly values: PathValues;
  readonly allowedMethods: readonly string[];
}

/**
 * Finds routes by method and path.
 *
 * @throws {Refusal} on each search: `no-such-address`
 */
export function createRouter<R extends RouterRow>(
  routes: readonly R[],
): (method: string, pathname: string) => Match<R> {
  const templates = routes.map((route) => ({ route, parts: readTemplate(route.path) }));
  const byLength = Map.groupBy(templates, ({ parts }) => parts.length);
  return (method, pathname) => {
    const segments = pathname.split('/');
    const candidates = byLength.get(segments.length) ?? [];
    const matches = candidates.filter(({ parts }) => fits(parts, segments));
    // HEAD is GET without the answer's body (RFC 9110 section 9.3.2).
    const wanted = method === 'HEAD' ? 'GET' : method;
    const match = matches.find(({ route }) => route.method === wanted) ?? matches[0];
    if (!match) throw new Refusal('no-such-address', 'Check the address.');
    return {
      path: match.route.path,
      route: match.route.method === wanted ? match.route : null,
      values: valuesOf(match.parts, segments),
      allowedMethods: matches.flatMap(({ route }) =>
        route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
      ),
    };
  };
}

export function wrongMethod(allowed: readonly string[]): Refusal {
  const list = allowed.join(', ');
  return new Refusal('method-not-allowed', `Use ${list}.`, { headers: { Allow: list } });
}

/** A segment of a template: a text, or a name in braces. */
interface Part {
  readonly text: string;
  readonly name: string | undefined;
}

function readTemplate(path: string): Part[] {
  return path.split('/').map((text) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] }));
}

function fits(parts: readonly Part[], segments: readonly string[]): boolean {
  return parts.every(({ text, name }, index) =>
    name === undefined ? text === segments[index] : segments[index] !== '',
  );
}

function valuesOf(parts: readonly Part[], segments: readonly string[]): PathValues {
  const values: Record<string, string> = {};
  for (const [index, { name }] of parts.entries())
    if (name !== undefined) values[name] = decode(segments[index] ?? '');
  return values;
}

/** What is not percent-encoded well stays as it came, for the row's schema to refuse. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
