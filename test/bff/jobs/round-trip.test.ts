import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRow } from '../../../src/bff/jobs/import.ts';
import { byteOrderMark, csvRow } from '../../../src/contract/bff/csv.ts';
import {
  exportColumns,
  exportFields,
  exportFormats,
  headingsOf,
  jsonLine,
} from '../../../src/contract/bff/export-format.ts';
import { importModes, type ImportRow } from '../../../src/contract/bff/job.ts';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { SubscriberInput, type UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { readFile } from '../../support/app/import-file.ts';
import { ask } from '../../support/bff/browser.ts';
import { rowsOf, untilJob } from '../../support/bff/jobs.ts';
import { createTestDesk } from '../../support/desk.ts';

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
    expiresAt: fc
      .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    maxConnections: fc.integer({ min: 1, max: 10 }),
    isTrial: fc.boolean(),
    note,
    hls: fc.boolean(),
    mpegTs: fc.boolean(),
    bundles: list(fc.integer({ min: 1, max: 1_000_000 })),
    ipAddresses: list(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('192.0.2.0/24'))),
    userAgents: list(nastyLine),
    countries: list(fc.constantFrom(...countryCodes)),
  })
  .map((input) => SubscriberInput.safeParse(input).data)
  .filter((input) => input !== undefined);

const columns = exportColumns({ fields: exportFields, lists: true, tokens: false });

describe.each(exportFormats)('%s', (format) => {
  test.each(['UTC', 'Europe/Oslo'])('an export in %s is read back as it was', async (zone) => {
    const property = fc.asyncProperty(
      fc.array(subscriber, { minLength: 1, maxLength: 5 }),
      async (people) => {
        const file = new Blob(format === 'csv' ? csvOf(people, zone) : jsonLinesOf(people, zone));
        const { headings, columns: read, rows } = await readFile(file);
        expect(rows.map((row) => readCells(row, { columns: read, headings, zone: 'UTC' }))).toEqual(
          people.map((input, index) => ({ id: index + 1, username: input.username, fields: given(input) })),
        );
      },
    );
    await fc.assert(property, { seed: 17, numRuns: 300 });
  });
});

const recordOf = (input: SubscriberInput, index: number) => ({
  ...input,
  id: index + 1,
  status: 1,
  accessToken: '',
});

function csvOf(people: readonly SubscriberInput[], zone: string): string[] {
  const lines = people.map((input, index) => {
    const record = recordOf(input, index);
    return csvRow(columns.map(({ write }) => write(record, { zone, statuses: new Map() })));
  });
  return [byteOrderMark, csvRow(headingsOf(columns, zone)), ...lines];
}

const jsonLinesOf = (people: readonly SubscriberInput[], zone: string) =>
  people.map((input, index) => jsonLine(columns, recordOf(input, index), { zone, statuses: new Map() }));

function readCells(row: ImportRow, how: Parameters<typeof readRow>[1]) {
  const read = 'problem' in row ? row : readRow(row, how);
  return 'fields' in read ? { ...read, fields: given(read.fields) } : read;
}

/** What a row says: an empty cell says nothing, and a blank note or an empty list may or may not. */
const given = (input: UpdateBody) =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) =>
      typeof value === 'string' ? value.trim() !== '' : !Array.isArray(value) || value.length > 0,
    ),
  );

test.each(exportFormats)('an import of an export in %s changes nothing', async (format) => {
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
  const answer = await manager.fetch(ask('GET', `/bff/export?lists=true&zone=Europe/Oslo&format=${format}`));
  const file = await answer.blob();
  const { headings, columns: read, count, batches } = await readFile(file);
  expect(count).toBe(40);
  for (const mode of importModes.filter((name) => name !== 'create')) {
    const body = { mode, format, columns: read, headings, rows: count };
    const { data } = await manager.bff.createImport({ body });
    for (const batch of batches) await manager.bff.addImportRows({ params: { id: data.id }, body: batch });
    const { counts } = await untilJob(manager, data.id, 'ready', 'stopped');
    const others = (await rowsOf(manager, data.id)).filter(({ result }) => result !== 'unchanged');
    expect([others, counts.unchanged]).toEqual([[], 40]);
  }
});
