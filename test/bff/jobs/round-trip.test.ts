import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRow } from '../../../src/bff/jobs/import.ts';
import { guessColumns } from '../../../src/app/jobs/import-columns.ts';
import { readBatches, summarizeFile } from '../../../src/app/jobs/read-file.ts';
import { byteOrderMark, csvRow } from '../../../src/contract/bff/csv.ts';
import { exportColumns, exportFields, headingsOf } from '../../../src/contract/bff/export-format.ts';
import { importModes } from '../../../src/contract/bff/job.ts';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { SubscriberInput, type UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
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

test.each(['UTC', 'Europe/Oslo'])('what an export in %s writes is read back as it was', async (zone) => {
  const property = fc.asyncProperty(fc.array(subscriber, { minLength: 1, maxLength: 5 }), async (people) => {
    const headings = headingsOf(columns, zone);
    const lines = people.map((input, index) => {
      const record = { ...input, id: index + 1, status: 1, accessToken: '' };
      return csvRow(columns.map(({ write }) => write(record, { zone, statuses: new Map() })));
    });
    const file = new Blob([byteOrderMark, csvRow(headings), ...lines]);
    const rows: string[][] = [];
    for await (const batch of readBatches(file)) rows.push(...batch.rows);
    const how = { columns: guessColumns(headings), headings, zone: 'UTC' };
    const read = rows.map((cells) => readRow(cells, how));
    expect(read.map((row) => ('fields' in row ? { ...row, fields: given(row.fields) } : row))).toEqual(
      people.map((input, index) => ({ id: index + 1, username: input.username, fields: given(input) })),
    );
  });
  await fc.assert(property, { seed: 17, numRuns: 300 });
});

/** What a row says: an empty cell says nothing, and a blank note may or may not. */
const given = (input: UpdateBody) =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) =>
      typeof value === 'string' ? value.trim() !== '' : !Array.isArray(value) || value.length > 0,
    ),
  );

test('importing an export changes nothing', async () => {
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
  const answer = await manager.fetch(ask('GET', '/bff/export?lists=true&zone=Europe/Oslo'));
  const file = await answer.blob();
  const { headings, rows } = await summarizeFile(file);
  expect(rows).toBe(40);
  for (const mode of importModes.filter((name) => name !== 'create')) {
    const body = { mode, columns: guessColumns(headings), headings, rows };
    const { data } = await manager.bff.createImport({ body });
    for await (const batch of readBatches(file))
      await manager.bff.addImportRows({ params: { id: data.id }, body: batch });
    const { counts } = await untilJob(manager, data.id, 'ready', 'stopped');
    const others = (await rowsOf(manager, data.id)).filter(({ result }) => result !== 'unchanged');
    expect([others, counts.unchanged]).toEqual([[], 40]);
  }
});
