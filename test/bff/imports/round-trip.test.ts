import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRow } from '../../../src/bff/imports/plan-row.ts';
import { csvRow } from '../../../src/contract/bff/csv.ts';
import {
  exportColumns,
  exportFields,
  exportFormats,
  headingsOf,
  jsonLine,
  type ExportContext,
} from '../../../src/contract/bff/export-format.ts';
import { importModes } from '../../../src/contract/bff/job.ts';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { foldText } from '../../../src/contract/service/search-text.ts';
import { limits } from '../../../src/contract/service/limits.ts';
import { SubscriberInput, type UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { guessColumns } from '../../../src/app/bulk/import-form.tsx';
import { ask } from '../../support/bff/browser.ts';
import { cellsIn, sendText } from '../../support/bff/import-file.ts';
import { rowsOf, untilJob } from '../../support/bff/jobs.ts';
import { createTestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';

/** Texts that a file can get wrong: quotes, separators, line breaks, formulas, apostrophes, dashes and spaces. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'=+-@＝＋－＠\'",;\t\n\r\\ ',
        '\r\n',
        "'=",
        "''",
        '\u2028',
        '\u00a0',
        '\uFEFF',
        'é',
        '😀',
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));
const nastyLine = nasty.map((text) => text.replaceAll(/[\p{Cc}\u2028]/gu, ' '));
const note = fc.oneof(nasty, fc.constantFrom('-', "'-", ' - ', '', "'", '=1+1'));

const list = <T>(value: fc.Arbitrary<T>) => fc.uniqueArray(value, { maxLength: 4 });

/** Any subscriber that the contract accepts. */
const subscriber = fc
  .record({
    username: nastyLine,
    email: fc.nat(999_999).map((number) => `${number}@example.com`),
    expiresAt: fc.oneof(
      fc
        .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      fc.constantFrom('0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'),
    ),
    maxConnections: fc.integer({ min: 1, max: 10 }),
    isTrial: fc.boolean(),
    note,
    hls: fc.boolean(),
    mpegTs: fc.boolean(),
    bundles: list(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 1_000_000 }))),
    ipAddresses: list(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('192.0.2.0/24'))),
    userAgents: list(nastyLine),
    countries: list(fc.constantFrom(...countryCodes)),
  })
  .map((input) => SubscriberInput.safeParse(input).data)
  .filter((input) => input !== undefined);

/** Names of bundles with all that separates values, and some that look like numbers. */
const bundles = ['Sports', 'Movies, Series & More', '=4K; Kids\\', '-', '3 7', "'-", '３', 'Æ\u0301'].map(
  (name, index) => ({ number: index + 1, name, isSold: true }),
);
const bundleNames = new Map(bundles.map(({ number, name }) => [number, name]));
const bundleNumbers = new Map(bundles.map(({ number, name }) => [foldText(name), number]));

const columns = exportColumns({ fields: exportFields, lists: true, tokens: false });

describe.each(exportFormats)('%s', (format) => {
  test.each<[zone: string, bundlesAs: string, writing: Partial<ExportContext>]>([
    ['UTC', 'numbers', {}],
    ['Europe/Oslo', 'names', { bundleNames }],
  ])('an export in %s with bundles as %s is read back as it was', (zone, _, writing) => {
    const property = fc.property(fc.array(subscriber, { minLength: 1, maxLength: 5 }), (people) => {
      const context = { zone, statuses: new Map<number, string>(), ...writing };
      const file = format === 'csv' ? csvOf(people, context) : jsonLinesOf(people, context);
      const { headings, columns: read, rows } = cellsIn(file.join(''));
      const how = { columns: read, headings, zone: 'UTC', forms: [], bundleNumbers };
      expect(rows.map((row) => readCells(row, how))).toEqual(
        people.map((input, index) => ({
          id: index + 1,
          username: input.username,
          version: expect.any(String),
          fields: given(input),
        })),
      );
    });
    fc.assert(property, { seed: 17, numRuns: 300 });
  });
});

const recordOf = (input: SubscriberInput, index: number) => ({
  ...input,
  id: index + 1,
  status: 1,
  accessToken: '',
});

function csvOf(people: readonly SubscriberInput[], context: ExportContext): string[] {
  const lines = people.map((input, index) => {
    const record = recordOf(input, index);
    return csvRow(columns.map(({ write }) => write(record, context)));
  });
  return [csvRow(headingsOf(columns, context.zone)), ...lines];
}

const jsonLinesOf = (people: readonly SubscriberInput[], context: ExportContext) =>
  people.map((input, index) => jsonLine(columns, recordOf(input, index), context));

function readCells(row: string[] | { problem: string }, how: Parameters<typeof readRow>[1]) {
  const read = 'problem' in row ? row : readRow(row, how);
  return 'fields' in read ? { ...read, fields: given(read.fields) } : read;
}

/** Fields that a row gives: an empty cell gives nothing, and a blank note or an empty list may or may not. */
const given = (input: UpdateBody) =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) =>
      typeof value === 'string' ? value.trim() !== '' : !Array.isArray(value) || value.length > 0,
    ),
  );

const ways = exportFormats.flatMap((format) => ['numbers', 'names'].map((as) => [format, as] as const));
test.each(ways)('an import of an export in %s with bundles as %s changes nothing', async (format, as) => {
  const people = fc
    .sample(
      fc.uniqueArray(subscriber, {
        minLength: 40,
        maxLength: 40,
        selector: ({ username }) => username.toLowerCase(),
      }),
      { seed: 17, numRuns: 1 },
    )[0]
    ?.map((input, index) => ({ ...input, email: `p${index}@example.com` }));
  const desk = await createTestDesk({ people: people ?? [] });
  const manager = await desk.signIn('manager');
  await manager.bff.saveBundles({ body: { bundles, version: 0 } });
  const query = `lists=true&zone=Europe/Oslo&format=${format}&bundleNames=${as === 'names'}`;
  const file = await (await manager.fetch(ask('GET', `/bff/export?${query}`))).text();
  expect(file.includes('Movies, Series & More')).toBe(as === 'names');
  for (const mode of importModes.filter((name) => name !== 'create')) {
    const { id, rows, summary } = await sendText(manager, file);
    expect([rows, summary.format]).toEqual([40, format]);
    const body = { mode, columns: guessColumns(summary.headings) };
    await manager.bff.createImport({ params: { id }, body });
    const { counts } = await untilJob(manager, id, 'ready', 'stopped');
    const others = (await rowsOf(manager, id)).filter(({ result }) => result !== 'unchanged');
    expect([others, counts.unchanged]).toEqual([[], 40]);
  }
});

test.each(exportFormats)(
  'an import of an export in %s takes the longest list of user agents',
  async (format) => {
    const userAgents = Array.from({ length: limits.userAgents }, (_, index) =>
      String(index).padEnd(limits.userAgent, '='),
    );
    const desk = await createTestDesk({ people: [person('ann', { userAgents })] });
    const manager = await desk.signIn('manager');
    const file = await (await manager.ask('GET', `/bff/export?lists=true&format=${format}`)).text();
    const { summary } = await sendText(manager, file);
    expect(summary.examples[0]?.join().length).toBeGreaterThan(limits.userAgents * limits.userAgent);
  },
);
