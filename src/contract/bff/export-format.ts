import { listNames, type ListName } from '../service/limits.ts';
import { Subscriber, type SubscriberDetail, type SubscriberWithLists } from '../service/subscriber.ts';
import { fieldLabels } from '../service/subscriber-input.ts';
import { foldText } from '../service/search-text.ts';
import { endOfDay, fromWallTime, isTimeZone, wallTime } from './extension.ts';

// The format of exported subscribers, which imports read again: its columns, and how a value is written and read.

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type ExportField = keyof SubscriberDetail | 'version';

const headings: Readonly<Record<ExportField, string>> = {
  ...fieldLabels,
  id: 'ID',
  status: 'Status ID',
  accessToken: 'Access token',
  version: 'Version',
};

/** The fields that an export can have beside the lists and the access token, which are asked for separately. */
export const exportFields = [
  ...(Object.keys(Subscriber.shape) as (keyof Subscriber)[]),
  'version' as const,
].filter((name) => name !== 'accessToken');

/** Settings that values are written and read with. */
export interface ExportContext {
  /** `UTC` or an IANA name, such as `Europe/Oslo`. */
  zone: string;
  /** The names of the statuses by their ids. */
  statuses: ReadonlyMap<number, string>;
  /** The names of bundles by their numbers, where names are written. */
  bundleNames?: ReadonlyMap<number, string>;
}

/** Settings that values are read with. */
export interface ReadContext extends Pick<ExportContext, 'zone'> {
  /** The numbers of bundles by their names, folded by `foldText`. */
  bundleNumbers?: ReadonlyMap<string, number>;
}

/** A value that was read from a cell, or a sentence about what is wrong with it. */
type ReadCell = { value: unknown } | { problem: string };

type FieldValue = string | number | boolean | null | undefined | readonly (string | number)[];

interface Column {
  field: ExportField;
  /** Its name in JSON lines. */
  key: string;
  /** Its heading in CSV. */
  heading: string;
  /** The value in JSON lines. */
  value: (subscriber: SubscriberWithLists, context: ExportContext) => FieldValue;
  /** The text in a cell of CSV, which is not neutralized yet. */
  write: (subscriber: SubscriberWithLists, context: ExportContext) => string;
  /** Reads the text of a cell that is not empty. What the value may be is for the rules of the field to say. */
  read: (text: string, context: ReadContext) => ReadCell;
}

/** @param value the value in JSON lines, whose text is in the cell; that of the field if not given */
const columnOf = (
  field: ExportField,
  read: Column['read'],
  value: Column['value'] = (subscriber: Partial<Record<ExportField, FieldValue>>) => subscriber[field],
): Column => ({
  field,
  key: field,
  heading: headings[field],
  value,
  write: (subscriber, context) => String(value(subscriber, context) ?? ''),
  read,
});

const readText = (text: string): ReadCell => ({ value: text });

function readNumber(text: string): ReadCell {
  const trimmed = text.trim();
  const value = Number(trimmed);
  const isWhole = /^-?\d{1,16}$/.test(trimmed) && Number.isSafeInteger(value);
  return isWhole ? { value } : { problem: 'Use a whole number.' };
}

function readBoolean(text: string): ReadCell {
  const value = booleanWords.get(text.trim().toLowerCase());
  return value === undefined ? { problem: 'Use true or false.' } : { value };
}

/** The words for true and false, in lower case. */
export const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
]);

const listColumn = (field: Exclude<ListName, 'bundles'>): Column => ({
  ...columnOf(field, (text) => ({ value: readList(text, separators[field]) })),
  value: (subscriber) => subscriber[field] ?? [],
  write: (subscriber) => writeList((subscriber[field] ?? []).map(String), separators[field]),
});

/** Numbers between blanks; with names, which contain blanks, all are separated by semicolons. */
const bundlesColumn: Column = {
  ...columnOf('bundles', readBundles, namesOrNumbers),
  write(subscriber, context) {
    const texts = namesOrNumbers(subscriber, context).map(String);
    return texts.every((text) => isNumbers.test(text)) ? texts.join(' ') : writeList(texts, ';');
  },
};

function readBundles(text: string, { bundleNumbers }: ReadContext): ReadCell {
  const named = (piece: string) => bundleNumbers?.get(foldText(piece.trim()));
  const pieces = readList(text, ';').flatMap((piece) => {
    if (isNumbers.test(piece)) return piece.split(/[\s,]+/);
    return named(piece) === undefined ? piece.split(',') : piece;
  });
  const values: number[] = [];
  for (const piece of pieces.map((one) => one.trim()).filter(Boolean)) {
    const number = isNumbers.test(piece) ? Number(piece) : named(piece);
    if (number === undefined)
      return {
        problem: `No bundle is called “${piece.slice(0, 64)}”. Use its number, or add the name on the page Bundles.`,
      };
    values.push(number);
  }
  return { value: values };
}

const isNumbers = /^[\d\s,]+$/;

/** A name that would be read as numbers is not written. */
function namesOrNumbers({ bundles = [] }: SubscriberWithLists, { bundleNames }: ExportContext) {
  return bundles.map((number) => {
    const name = bundleNames?.get(number);
    return name === undefined || isNumbers.test(name) ? number : name;
  });
}

/** Only user agents contain spaces. */
const separators: Readonly<Record<Exclude<ListName, 'bundles'>, ' ' | ';'>> = {
  ipAddresses: ' ',
  userAgents: ';',
  countries: ' ',
};

/** The fields that an import can change: the version of a subscriber in a file covers some of them. */
const versionedFields = Object.keys(fieldLabels) as (keyof typeof fieldLabels)[];

/**
 * Creates a function that says the version of a subscriber in a file with some fields: which ones, and a hash of what they
 * hold. So it says nothing about fields that the file does not have, and stays the same where only those are changed.
 */
function createVersionOf(isIn: (field: ExportField, index: number) => boolean) {
  const fields = versionedFields.filter(isIn);
  const mask = versionedFields.map((field, index) => (isIn(field, index) ? 1 : 0)).join('');
  return (subscriber: SubscriberWithLists): string => {
    const values = fields.map((field) => {
      const value = subscriber[field];
      // A service may not keep the order of a list.
      return Array.isArray(value) ? value.map(String).toSorted() : value;
    });
    return `v${mask}-${hash53(JSON.stringify(values))}`;
  };
}

/** True if what a version is about is unchanged in a subscriber. */
export const isVersionOf = (version: string, subscriber: SubscriberDetail): boolean =>
  createVersionOf((_, index) => version[index + 1] === '1')(subscriber) === version;

const versionPattern = new RegExp(`^v[01]{${versionedFields.length}}-[0-9a-z]+$`);

/** A hash of 53 bits that takes a microsecond (cyrb53), for what nobody gains by forging. */
function hash53(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return (4_294_967_296 * (other & 0x1fffff) + (one >>> 0)).toString(36);
}

const versionColumn = (versionOf: Column['value']): Column =>
  columnOf(
    'version',
    (text) =>
      versionPattern.test(text.trim())
        ? { value: text.trim() }
        : { problem: 'This isn’t a version from an export. Choose “Not read” for this column.' },
    versionOf,
  );

/** All columns, in the order of a file. */
const columns: readonly Column[] = [
  columnOf('id', readNumber),
  columnOf('username', readText),
  columnOf('email', readText),
  {
    ...columnOf('status', readText, ({ status }, { statuses }) => statuses.get(status) ?? null),
    key: 'statusName',
    heading: 'Status',
  },
  columnOf('status', readNumber),
  columnOf(
    'expiresAt',
    (text, { zone }) => readInstant(text, zone),
    ({ expiresAt }, { zone }) => writeInstant(expiresAt, zone),
  ),
  columnOf('isTrial', readBoolean),
  columnOf('maxConnections', readNumber),
  columnOf('hls', readBoolean),
  columnOf('mpegTs', readBoolean),
  columnOf('note', readText),
  bundlesColumn,
  listColumn('ipAddresses'),
  listColumn('userAgents'),
  listColumn('countries'),
  columnOf('accessToken', readText),
  versionColumn(() => ''),
];

/** Each column by its heading and its name in JSON lines. For a name of two columns, it is the first. */
const columnsByName = new Map(
  columns
    .toReversed()
    .flatMap((column) => [column.key, column.heading].map((name) => [name.toLowerCase(), column] as const)),
);

/** The columns of an export. */
export function exportColumns(requested: {
  fields: readonly (typeof exportFields)[number][];
  lists: boolean;
  tokens: boolean;
}): readonly Column[] {
  const fields = new Set<ExportField>(requested.fields);
  if (requested.lists) for (const name of listNames) fields.add(name);
  if (requested.tokens) fields.add('accessToken');
  const version = versionColumn(createVersionOf((field) => fields.has(field)));
  return columns
    .filter(({ field }) => fields.has(field))
    .map((column) => (column.field === 'version' ? version : column));
}

/** The headings of a CSV file. A column with times names their zone. */
export const headingsOf = (of: readonly Column[], zone: string): string[] =>
  of.map((column) => (column.field === 'expiresAt' ? `${column.heading} (${zone})` : column.heading));

/**
 * The column that a heading of CSV or a name in JSON lines is for, and the zone that it names.
 *
 * @returns null for a heading that is not ours
 */
export function readHeading(text: string): { column: Column; zone: string | null } | null {
  const [, name = '', zone = null] = /^(.*?)(?: \(([^()]*)\))?$/s.exec(text.trim()) ?? [];
  if (zone !== null && !isTimeZone(zone)) return null;
  const column = columnsByName.get(name.toLowerCase());
  return column && (zone === null || column.field === 'expiresAt') ? { column, zone } : null;
}

/** One field of a subscriber, or of a part of one, as in a cell of an export. */
export function writeField(
  field: keyof SubscriberDetail,
  part: { [N in keyof SubscriberDetail]?: SubscriberDetail[N] | undefined },
  context: ExportContext,
): string | null {
  const column = columns.find((one) => one.field === field);
  if (!column || part[field] === undefined) return null;
  // A column reads no other field than its own.
  const text = column.write(part as SubscriberDetail, context);
  return text === '' && field === 'status' ? String(part.status) : text;
}

/** A subscriber as one line of JSON lines. */
export function jsonLine(
  of: readonly Column[],
  subscriber: SubscriberWithLists,
  context: ExportContext,
): string {
  const values: Record<string, unknown> = {};
  for (const { key, value } of of) values[key] = value(subscriber, context);
  return `${JSON.stringify(values)}\n`;
}

/** A separator in a value, a backslash, and white space at either end are written with a backslash before them. */
function writeList(values: readonly string[], separator: ' ' | ';'): string {
  const special = separator === ' ' ? /[\\ ]/g : /[\\;]|^\s|\s$/g;
  return values.map((value) => value.replace(special, String.raw`\$&`)).join(separator);
}

/** Spaces around a value are not part of it. */
function readList(text: string, separator: ' ' | ';'): string[] {
  const values: string[] = [];
  let value = '';
  // How much of the value must stay, whatever it ends with.
  let kept = 0;
  const end = () => {
    const whole = value.slice(0, kept) + value.slice(kept).trimEnd();
    if (whole !== '') values.push(whole);
    [value, kept] = ['', 0];
  };
  for (const [character, escaped] of text.matchAll(/\\(.)|./gsu)) {
    if (escaped !== undefined) {
      value += escaped;
      kept = value.length;
    } else if (character === separator) end();
    else if (value !== '' || character.trim() !== '') value += character;
  }
  end();
  return values;
}

/** ISO 8601 with the offset of a zone. A text that is no time, which another service may answer, stays as it is. */
function writeInstant(text: string, zone: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const offset = zone === 'UTC' ? 0 : (wallTime(at, zone) - at) / 60_000;
  // Before clocks had zones, an offset could have seconds, which the format does not have; nor has it years of five digits.
  const isWritable = Number.isInteger(offset) && at + offset * 60_000 < year10000;
  if (zone === 'UTC' || !isWritable) return `${isoOf(at)}Z`;
  const minutes = Math.abs(offset);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${isoOf(at + offset * 60_000)}${offset < 0 ? '-' : '+'}${hours}:${rest}`;
}

const year10000 = Date.UTC(10_000, 0);

/** A time as if it were UTC, without milliseconds that are zero. */
const isoOf = (at: number) => new Date(at).toISOString().replace(/(\.000)?Z$/, '');

/** Reads a time with an offset; one without is meant in the zone. A day without a time is paid until its end. */
function readInstant(text: string, zone: string): ReadCell {
  const [, day, time, offset] = instantPattern.exec(text.trim()) ?? [];
  const given = Date.parse(`${day}T${time ?? '00:00'}${offset ?? 'Z'}`);
  const at = time === undefined ? endOfDay(given) : given;
  // A parser may take 31 February for 3 March.
  if (day === undefined || Number.isNaN(at) || !isoOf(Date.parse(day)).startsWith(day))
    return { problem: 'Enter a date and time, such as 2026-12-31 22:00 or 2026-12-31T22:00:00Z.' };
  return { value: new Date(offset === undefined ? fromWallTime(at, zone) : at).toISOString() };
}

const instantPattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/i;
