import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { normalize } from '../src/lib/text.ts';
import { extendExpiry } from '../src/contract/bff/extension.ts';
import { exportColumns, exportFields, isVersionOf } from '../src/contract/bff/export-format.ts';
import { fillMessage } from '../src/contract/bff/message.ts';
import { playlistUrlOf } from '../src/contract/bff/access-token.ts';
import { fillPath } from '../src/contract/http/endpoint.ts';
import { isWithin } from '../src/contract/http/plain-text.ts';
import { resolveTime } from '../src/contract/service/times.ts';
import { claimAt } from '../src/bff/auth/openid/provider-account.ts';
import { stepOfCode, totpUri } from '../src/bff/auth/second-factor.ts';
import { readCsv } from '../src/bff/imports/csv-rows.ts';
import { createFormFinder } from '../src/bff/imports/column-forms.ts';
import { cellsOf, readLine, splitLines } from '../src/bff/imports/json-lines.ts';
import { readRow } from '../src/bff/imports/plan-row.ts';
import { readText, unread } from '../src/bff/imports/read-text.ts';
import { createNamedPerson } from '../src/bff/journal/named-person.ts';
import { beginningOf, numberedName } from '../src/bff/staff/name-key.ts';
import { withInstants } from '../src/bff/upstream/dialect/records.ts';
import { valueAt } from '../src/bff/upstream/dialect/shape.ts';
import { describeCanWatch } from '../src/app/subscriber/can-watch.ts';
import { valueText } from '../src/app/subscriber/subscriber-fields.ts';
import { isExpired } from '../src/app/subscriber/expiry.ts';
import { hasAllIn, messageText } from '../src/app/subscriber/message-text.ts';
import { diffWords, mergeLines } from '../src/app/subscriber/text-diff.ts';
import {
  exportedFunctions,
  wordsInPatterns,
  type ExportedFunction,
} from './support/code/exported-functions.ts';
import { readSources, root, type SourceFile } from './support/code/source-files.ts';

/** The folders whose functions see texts of people: those of the server, and what features of the dashboard share. */
const folders = ['lib', 'contract', 'bff', 'service', 'app/subscriber'];
const files = folders
  .flatMap((folder) => readSources(`src/${folder}`))
  .filter(({ path }) => path.endsWith('.ts'));

/** A parameter by which a function works on tables or in a page. The texts that it is given go to the functions below. */
const surroundings =
  /Kysely|Transaction|(Bff|Service)Db|Deps|QueryClient|\bApp\b|\bApi\b|UseFormReturn|RequestContext/;
const isTextFunction = ({ isAsync, name, parameters }: ExportedFunction) =>
  !isAsync &&
  !/^use[A-Z]/.test(name) &&
  parameters.some(({ takes }) => takes !== null) &&
  !parameters.some(({ type }) => surroundings.test(type));
const textFunctions = files.flatMap(exportedFunctions).filter(isTextFunction);

/** Functions whose texts no person writes. */
const notOfPeople: Readonly<Record<string, readonly string[]>> = {
  'an address or a template from the configuration': [
    'createSessionCookie',
    'createBrowserCookie',
    'createOpenIdCookie',
    'describeApi',
    'writeCall',
    'createMonitorCheck',
  ],
  'a path of our own table': ['isBackChannel', 'isNavigation', 'checkNavigation', 'wrongMethod'],
  'an id or a key that we made': ['createMac', 'coveredText', 'keyText', 'isUsed', 'userHandleOf'],
  'a sentence or a name of our own': [
    'withoutChange',
    'pick',
    'invalidField',
    'withDetail',
    'reworded',
    'idOf',
    'visibleName',
    'keyUsedBefore',
    'problemAnswer',
    'answerError',
    'jsonLinesHeaders',
    'headingsOf',
    'mismatch',
  ],
  'made up for the samples': ['inventSubscriber'],
  'a name that the browser, the service or the contract knows': ['countryName', 'languageName', 'needsScan'],
};
const exceptions = new Set(Object.values(notOfPeople).flat());

const columns = exportColumns({ fields: [...exportFields], lists: true, tokens: true });
const lists = exportColumns({ fields: [], lists: true, tokens: false });
const message = { id: '', occasion: 'general', language: 'en', name: '', version: 1 } as const;
const rules = {
  expiresAt: '2027-01-01T00:00:00Z',
  hls: true,
  mpegTs: true,
  maxConnections: 1,
  countries: [],
  ipAddresses: [],
};
const whole = { separator: null, rows: 0 };
const file = {
  columns: ['note', 'username'] as const,
  headings: ['Note', 'Username'],
  zone: 'UTC',
  forms: [],
};

/** Calls of functions that take more than a text. */
const calls: Readonly<Record<string, (text: string) => unknown>> = {
  beginningOf: (text) => beginningOf(text, 10),
  cellsOf: (text) => cellsOf([text, [text]], ['note', 'userAgents'], [text, text]),
  claimAt: (text) => claimAt({ a: {} }, text),
  diffWords: (text) => diffWords(`a ${text}`, `${text} b`),
  mergeLines: (text) => mergeLines(text, `a\n${text}`, `${text}\nb`),
  fillMessage: (text) =>
    fillMessage(text, { token: text, username: text, expires: text, bundles: text, playlistUrl: text }),
  fillPath: (text) => fillPath('/subscribers/{id}', { id: text }),
  fromWallTime: (text) => extendExpiry(0, { days: 1 }, { now: 0, zone: text }),
  createNamedPerson: (text) => createNamedPerson(1, [text]).isNamedIn([text]),
  withInstants: (text) => withInstants({ expiresAt: text }),
  wallTime: (text) => extendExpiry(0, { days: 1 }, { now: 0, zone: text }),
  isWithin: (text) => isWithin(text, 10),
  isVersionOf: (text) =>
    isVersionOf('v111111111111-0', { ...rules, note: text, userAgents: [text, text] } as never),
  messageText: (text) =>
    messageText({ ...message, text }, { username: text, expiresAt: text }, [], text, text),
  hasAllIn: (text) => hasAllIn(text, { username: text, expiresAt: text }),
  'a column of an import, as another language writes it': (text) =>
    (['expiresAt', 'hls'] as const).map((column) => {
      const finder = createFormFinder(column);
      for (const cell of [text, '31.12.2026', `ja ${text}`]) finder?.add(cell);
      return finder?.find()?.translate(text);
    }),
  numberedName: (text) => numberedName(text, 2),
  playlistUrlOf: (text) => playlistUrlOf(text, { accessToken: text, username: text }),
  readCsv: (text) => readCsv(text, whole, true),
  readLine: (text) => readLine(text, 1),
  readRow: (text) => readRow([text, text], { ...file, columns: [...file.columns] }),
  readText: (text) => readText(unread('a.csv'), `Note\n${text}`, true),
  resolveTime: (text) => resolveTime(text, 0),
  splitLines: (text) => splitLines(text, true),
  valueText: (text) => valueText('userAgents', text, []),
  normalize: (text) => [normalize(text, 'NFC'), normalize(text, 'NFKD')],
  totpUri: (text) => totpUri('JBSWY3DPEHPK3PXP', text),
  isExpired: (text) => isExpired(text, 0),
  describeCanWatch: (text) => describeCanWatch({ ...rules, userAgents: [text] }, text, 0, text),
  stepOfCode: (text) => stepOfCode('JBSWY3DPEHPK3PXP', text, 0),
  valueAt: (text) => valueAt({}, text),
  'a column of an export, read': (text) => columns.map((column) => column.read(text, { zone: 'UTC' })),
  'a list of an export, written and read': (text) =>
    lists.map(({ field, write, read }) =>
      read(write({ [field]: [text, text] } as never, { zone: 'UTC', statuses: new Map() }), {
        zone: 'UTC',
        bundleNumbers: new Map([[text, 1]]),
      }),
    ),
  'JSON lines of an import': (text) => readText(unread('a.jsonl'), text, true),
  'the names in a JSON line of an import': (text) =>
    readText(
      unread('a.jsonl'),
      JSON.stringify(
        Object.fromEntries((text.match(/.{1,4}/gs) ?? []).map((part, index) => [`${part}${index}`, 0])),
      ),
      true,
    ),
};

/** Parts of texts that are hard to read: repeated, and with something behind that does not match. */
const hard = [
  ...' \t\r\0\u3000\u200b\ufeff",;|([{<\\aA10-+=:/%&',
  ..." \t|'\t| \n|\r\n|; | (|\\ | a|a b ".split('|'),
  ...'"" ", () {} {a aA1 a- a. a@ 1. 1: // /. .. ~1 %20 a\' \u0301 \u0301\u0316 e\u0301 \ufb03 \u0130 ς \ud83d 😀 👩‍'.split(
    ' ',
  ),
];

const least = 1_000;
/**
 * Lengths with how much longer they may take than the least. From the third on the limit lies between what a time by the
 * length takes (16 and 64 times as long) and one by its square (256 and 4,096). Only who is over the last one is slow.
 */
const lengths = [
  { length: 16, growth: 10 },
  { length: 64, growth: 10 },
  { length: 16_000, growth: 64 },
  { length: 64_000, growth: 800 },
] as const;

/** Less than so many ms counts as so many: the machine may be busy. */
const measurable = 0.3;

/** The ms of the quickest of some runs by a clock: the time of the processor is not that exact. */
function measure(run: () => unknown, runs: number): number {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    attempt(run);
    return performance.now() - began;
  });
  return Math.min(...times);
}

/** The ms of the processor that a long run takes, however busy the machine is. */
function measureProcessor(run: () => unknown): number {
  const began = process.threadCpuUsage();
  attempt(run);
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}

/** A text that is refused was read, too. An error of the program is none about the text. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error;
  }
}

/** Parts of texts with which a function takes longer than their length allows. */
function slowTexts(call: (text: string) => unknown, units: readonly string[]): string[] {
  return units.filter((unit) => {
    const textOf = (length: number) => `${unit.repeat(Math.ceil(length / unit.length))}!`;
    const short = textOf(least);
    const base = Math.max(
      measurable,
      measure(() => call(short), 5),
    );
    const isOver = ({ length, growth }: (typeof lengths)[number]) => {
      const text = textOf(length);
      return (
        measureProcessor(() => call(text)) > growth * base &&
        measureProcessor(() => call(text)) > growth * base
      );
    };
    const [tiny, small, long, longest] = lengths;
    // One that doubles with each character never ends with more of them.
    return isOver(tiny) || isOver(small) || (isOver(long) && isOver(longest));
  });
}

/** Finds the exported function itself. */
async function load({ path, name }: ExportedFunction) {
  const exports = (await import(join(root, path))) as Record<string, (...texts: unknown[]) => unknown>;
  return exports[name] as (...texts: unknown[]) => unknown;
}

/** Calls a function with a text for each text that it takes. */
async function callOf(one: ExportedFunction): Promise<(text: string) => unknown> {
  const known = calls[one.name];
  if (known) return known;
  const made = await load(one);
  return (text) => made(...one.parameters.map(({ takes }) => (takes === 'texts' ? [text, text] : text)));
}

describe('a function over texts', () => {
  const tested = textFunctions.filter(({ name }) => !exceptions.has(name));

  it('is called here, or its texts are no person’s', () => {
    const unknown = tested.filter(
      ({ name, parameters }) =>
        !(name in calls) && parameters.some(({ takes, isOptional }) => !takes && !isOptional),
    );
    expect(unknown.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
    const names = new Set(textFunctions.map(({ name }) => name));
    expect([...exceptions].filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(calls).filter((name) => !name.includes(' ') && !names.has(name))).toEqual([]);
    expect(tested.length).toBeGreaterThan(60);
  });

  it.each(tested)('takes time by the length of its text: $name of $path', async (one) => {
    const source = files.find(({ path }) => path === one.path) as SourceFile;
    expect(slowTexts(await callOf(one), [...hard, ...wordsInPatterns(source)])).toEqual([]);
  });

  it.each(Object.keys(calls).filter((name) => name.includes(' ')))('takes time by its length: %s', (name) => {
    expect(slowTexts(calls[name] as (text: string) => unknown, hard)).toEqual([]);
  });

  it('reads short lines of JSON below many names as fast as below one', () => {
    const timeBelow = (names: number) => {
      const first = Object.fromEntries(
        Array.from({ length: names }, (_, index) => [`n${index} (x${index})`, 0]),
      );
      const text = `${JSON.stringify(first)}\n${'{}\n'.repeat(2_000)}`;
      return Math.min(
        ...[1, 2, 3].map(() => measureProcessor(() => readText(unread('a.jsonl'), text, true))),
      );
    };
    expect(timeBelow(100)).toBeLessThan(8 * Math.max(1, timeBelow(1)));
  });

  it('is found to be slow where it looks at all that follows for each character', () => {
    const slow = (text: string) => /\s+$/.test(text.slice(text.length / 2));
    expect(slowTexts(slow, [' ', 'a'])).toEqual([' ']);
  });
});

/** All parts of a schema that see a value, each once. */
function partsOf(value: unknown, seen = new Set<unknown>()): Schema[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const inner = '_zod' in value ? Object.values((value as Schema)._zod.def) : Object.values(value);
  const below = inner.flatMap((part) => partsOf(part, seen));
  return '_zod' in value ? [value as Schema, ...below] : below;
}

interface Schema {
  _zod: {
    def: {
      in?: Schema;
      transform?: unknown;
      type: string;
      shape?: Record<string, unknown>;
      checks?: readonly { _zod: { def: object } }[];
    };
  };
  safeParse?: (value: unknown) => unknown;
}

describe('a schema', () => {
  it('takes time by the length of its texts', async () => {
    const withSchemas = files.filter(
      ({ path, text }) => path.startsWith('src/contract/') && text.includes("'zod/mini'"),
    );
    const modules = await Promise.all(
      withSchemas.map(({ path }) => import(join(root, path)) as Promise<object>),
    );
    const schemas = partsOf(modules.map((exports) => ({ ...exports })));
    const texts = schemas.filter(({ _zod: { def } }) => ['string', 'pipe', 'union'].includes(def.type));
    // Most names and texts have the same rules.
    const rulesOf = ({ _zod: { def } }: Schema): string =>
      JSON.stringify(
        [def.type, def.transform, def.in && rulesOf(def.in), def.checks?.map(({ _zod }) => _zod.def)],
        (_, part: unknown) => (typeof part === 'function' || part instanceof RegExp ? String(part) : part),
      );
    const different = [...new Map(texts.map((schema) => [rulesOf(schema), schema])).values()];
    expect(different.length).toBeGreaterThan(30);
    const units = [...new Set([...hard, ...withSchemas.flatMap(wordsInPatterns)])];
    for (const schema of different)
      expect(
        slowTexts((text) => schema.safeParse?.(text), units),
        rulesOf(schema),
      ).toEqual([]);
  });
});
