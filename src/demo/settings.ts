import * as z from 'zod/mini';
import { returnPath } from '../contract/bff/paths.ts';
import { roles, type Role } from '../contract/bff/permission.ts';

/** The staff accounts of the demo. */
export const names = { viewer: 'Jonas', support: 'Ingrid', manager: 'Marit' } as const satisfies Record<
  Role,
  string
>;
/** The colleague who edits at the same time; never the user of the demo. */
export const colleague = 'Sigrid';

/** The data sets and their names in the bar. */
export const dataSets = {
  '25': '25 subscribers',
  '2000': '2,000 subscribers',
  '50000': '50,000 subscribers',
  empty: 'No subscribers',
  'expired-trials': 'Only expired trials',
} as const;
export type DataSet = keyof typeof dataSets;

/** The faults, their names in the bar, and what they do. */
export const faults = {
  slow: { name: 'Slow', does: 'every answer takes 2 seconds' },
  flaky: { name: 'Flaky', does: 'a third of the calls to the subscriber service fail' },
  down: { name: 'Service down', does: 'the subscriber service doesn’t answer' },
  'session-ends': { name: 'Session ends', does: 'your next action asks you to sign in again' },
  'edits-meanwhile': {
    name: 'Someone else edits',
    does: 'a colleague saves the same subscriber just before you',
  },
  'lost-answers': { name: 'Lost answers', does: 'changes are made, but you don’t get the answer' },
} as const;
export type Fault = keyof typeof faults;

/** The scenarios, in the order in which they are offered; `scenarios` says what they are. */
export const scenarioNames = [
  'caller',
  'leaked-token',
  'two-people',
  'lost-answer',
  'clean-up',
  'extend',
  'spreadsheet',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export const Settings = z.object({
  /** The scenario that is played. Opening one starts the demo over. */
  scenario: z.enum(['none', ...scenarioNames]),
  role: z.enum(roles),
  data: z.enum(keysOf(dataSets)),
  faults: z.array(z.enum(keysOf(faults))),
  /** Number of days that the clock is ahead. */
  days: z.number().check(z.int(), z.gte(0), z.lte(3650)),
  /** Shows or hides the bar and the card. */
  bar: z.enum(['on', 'off']),
  // How the dashboard looks for those who are to use it: empty where it looks as usual.
  /** Instead of "Subscriber Desk". */
  name: z.string().check(z.maxLength(40)),
  /** The colour of buttons and links, as `0a7d4f`; its lightness is ours, so that texts stay readable. */
  colour: z.string().check(z.regex(/^([\da-f]{6})?$/i)),
  /** A picture beside the demo's files, as `logo.svg`; nothing is loaded from elsewhere. */
  logo: z.string().check(z.regex(/^([\w-]+\.(svg|png|webp))?$/)),
  /** The names of the statuses other than "Active", with commas between them. */
  statuses: z.string().check(z.maxLength(200)),
});
export type Settings = z.infer<typeof Settings>;

export const defaultSettings: Settings = {
  scenario: 'none',
  role: 'manager',
  data: '2000',
  faults: [],
  days: 0,
  bar: 'on',
  name: '',
  colour: '',
  logo: '',
  statuses: '',
};

const prefix = 'demo-';

/** The parameter with the address of a page, for the only page that a static host has. */
export const atParameter = `${prefix}at`;

/** The parameter with the name of a file beside the demo's, such as `example.json`, that has settings, too. */
export const fileParameter = `${prefix}file`;

/** The settings in such a file, named as in an address but without `demo-`; a list is its values with commas between them. */
export const readFile = (file: object): Partial<Settings> =>
  readLink(
    new URLSearchParams(Object.entries(file).map(([name, value]) => [`${prefix}${name}`, String(value)])),
  );

/** The settings that an address asks for; unknown and invalid ones are left out. */
export function readLink(search: URLSearchParams): Partial<Settings> {
  const read = (name: keyof Settings) => search.get(`${prefix}${name}`);
  const shape = z.partial(Settings).shape;
  const chosen = {
    ...Object.fromEntries(keysOf(shape).map((name) => [name, read(name)])),
    faults: read('faults')?.split(','),
    days: read('days') === null ? null : Number(read('days')),
  };
  return Object.fromEntries(
    // Object.entries loses the type of the names.
    Object.entries(chosen).flatMap(([name, value]) => {
      const parsed = z.safeParse(shape[name as keyof Settings], value ?? undefined);
      return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
    }),
  );
}

/** Settings as parameters of a link, without those that are the default. */
export function writeLink(settings: Settings): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of keysOf(defaultSettings))
    if (String(settings[name]) !== String(defaultSettings[name]))
      search.set(`${prefix}${name}`, String(settings[name]));
  return search;
}

/** An address without the demo's parameters. */
export function withoutLink(href: string): string {
  const [path = '', query = ''] = href.split('?');
  const rest = query.split('&').filter((part) => part !== '' && !part.startsWith(prefix));
  return rest.length > 0 ? `${path}?${rest.join('&')}` : path;
}

/** Splits the page's address: where in the dashboard it is (`at`), and the demo's parameters (`query`). */
export function readAddress(href: string, base: URL): { at: string; query: URLSearchParams } {
  const url = new URL(href);
  const handedOver = url.searchParams.get(atParameter);
  const inside = `/${url.pathname.slice(base.pathname.length)}${url.search}${url.hash}`;
  // A link from elsewhere can contain anything; this makes it a local path, or the start page.
  const at = handedOver === null ? inside : returnPath(handedOver, url.origin);
  const query = new URL(at, url.origin).searchParams;
  for (const [name, value] of url.searchParams) if (!query.has(name)) query.set(name, value);
  return { at: withoutLink(at), query };
}

/** Object.keys, which loses the type of the keys, with that type. */
function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}
