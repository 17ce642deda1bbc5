import type { Permission } from '../contract/bff/permission.ts';
import { Refusal } from '../contract/http/refusal.ts';
import type { RequestContext, CurrentUser } from './request-context.ts';

export type PathValues = Readonly<Record<string, string>>;

/** What answers at an address, and what it takes to get there. */
export type Door =
  | { readonly open: true; handle(context: RequestContext): Promise<Response> }
  | {
      readonly open?: false;
      /** What the role must allow; without one, being signed in is enough. */
      readonly permission?: Permission;
      /** Open too to somebody who signed in with a one-time password and has not changed it yet. */
      readonly withAnyPassword?: true;
      handle(context: RequestContext, user: CurrentUser, values: PathValues): Promise<Response>;
    };

export interface Route {
  readonly method: string;
  /** A path template of an endpoint table. */
  readonly path: string;
  /** The name of its row. */
  readonly operation: string;
  readonly door: Door;
}

export interface Found {
  readonly route: Route;
  readonly values: PathValues;
}

/**
 * Finds routes by method and path.
 *
 * @throws {Refusal} on each search: `no-such-address` or, with `Allow`, `method-not-allowed`
 */
export function createRouter(routes: readonly Route[]): (method: string, pathname: string) => Found {
  const templates = routes.map((route) => ({ route, parts: readTemplate(route.path) }));
  const byLength = Map.groupBy(templates, ({ parts }) => parts.length);
  return (method, pathname) => {
    const segments = pathname.split('/');
    const here = (byLength.get(segments.length) ?? []).flatMap(({ route, parts }) => {
      const values = matchPath(parts, segments);
      return values ? [{ route, values }] : [];
    });
    if (here.length === 0) throw new Refusal('no-such-address', 'Check the address.');
    // A HEAD is a GET of which the body is not sent (RFC 9110 section 9.3.2).
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = here.find(({ route }) => route.method === wanted);
    if (found) return found;
    throw wrongMethod(
      here.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])),
    );
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

/** The values of a template's names, decoded once, or null where the path, of as many segments, is another. */
function matchPath(parts: readonly Part[], segments: readonly string[]): PathValues | null {
  const fits = parts.every(({ text, name }, place) =>
    name === undefined ? text === segments[place] : segments[place] !== '',
  );
  if (!fits) return null;
  const values: Record<string, string> = {};
  for (const [place, { name }] of parts.entries())
    if (name !== undefined) values[name] = decode(segments[place] ?? '');
  return values;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal('bad-request', 'The address is not percent-encoded as it should be. Check it.');
  }
}
