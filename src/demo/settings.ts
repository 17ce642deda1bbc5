import * as z from 'zod/mini';
import { roles } from '../contract/bff/permission.ts';

/** What there is to look at, and what the bar calls it. */
export const dataSets = {
  '25': '25 subscribers',
  '2000': '2,000 subscribers',
  '50000': '50,000 subscribers',
  empty: 'Empty',
  'expired-trials': 'All expired trials',
} as const;
export type DataSet = keyof typeof dataSets;

/** What can go wrong, what the bar calls it, and what it says of it. */
export const faults = {
  slow: { name: 'Slow', does: 'every answer takes 2 seconds' },
  flaky: { name: 'Flaky', does: 'a third of the calls to the service fail' },
  down: { name: 'Service down', does: 'the subscriber service does not answer' },
  'session-ends': { name: 'Session ends', does: 'the next request finds nobody signed in' },
  'edits-meanwhile': {
    name: 'Somebody else edits meanwhile',
    does: 'a colleague saves the same subscriber just before you',
  },
  'lost-answers': { name: 'Lost answers', does: 'changes are carried out, but the answer gets lost' },
} as const;
export type Fault = keyof typeof faults;

export const Settings = z.object({
  role: z.enum(roles),
  data: z.enum(keysOf(dataSets)),
  faults: z.array(z.enum(keysOf(faults))),
  /** How far the clock is ahead of the real one. */
  days: z.number().check(z.int(), z.gte(0), z.lte(3650)),
});
export type Settings = z.infer<typeof Settings>;

export const usualSettings: Settings = { role: 'manager', data: '2000', faults: [], days: 0 };

const prefix = 'demo-';

/** The parameter by which a page that a host does not have is handed to the one that it has. */
export const atParameter = `${prefix}at`;

/** What an address asks of the demo; what it does not name, or names wrongly, is left out. */
export function readLink(search: URLSearchParams): Partial<Settings> {
  const said = (name: keyof Settings) => search.get(`${prefix}${name}`);
  const asked = {
    role: said('role'),
    data: said('data'),
    faults: said('faults')?.split(','),
    days: said('days') === null ? null : Number(said('days')),
  };
  const shape = z.partial(Settings).shape;
  return Object.fromEntries(
    // The names are those of the shape, which Object.entries forgets.
    Object.entries(asked).flatMap(([name, value]) => {
      const read = z.safeParse(shape[name as keyof Settings], value ?? undefined);
      return read.success && read.data !== undefined ? [[name, read.data]] : [];
    }),
  );
}

/** The same for a link: only what is not as usual. */
export function writeLink(settings: Settings): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of keysOf(settings))
    if (String(settings[name]) !== String(usualSettings[name]))
      search.set(`${prefix}${name}`, String(settings[name]));
  return search;
}

/** An address without what it asks of the demo. */
export function withoutLink(href: string): string {
  const [path = '', query = ''] = href.split('?');
  const rest = query.split('&').filter((part) => part !== '' && !part.startsWith(prefix));
  return rest.length > 0 ? `${path}?${rest.join('&')}` : path;
}

/** Object.keys, which forgets that they are those of the object. */
function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}
