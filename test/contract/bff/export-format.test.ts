import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRow, restoreText } from '../../../src/contract/bff/csv.ts';
import {
  exportColumns,
  exportFields,
  headingsOf,
  jsonLine,
  readHeading,
} from '../../../src/contract/bff/export-format.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { anna } from '../../support/people.ts';

const columns = exportColumns({ fields: exportFields, lists: true, tokens: true });
const statuses = new Map([
  [1, 'Active'],
  [2, 'Suspended'],
]);
const subscriber: SubscriberDetail = { ...anna, id: 7, accessToken: 'secret', status: 2 };
const cellsOf = (of: SubscriberDetail, zone = 'UTC') =>
  columns.map((column) => column.write(of, { zone, statuses }));

describe('an exported subscriber', () => {
  test('has one value in each cell, in the order of the headings', () => {
    expect(
      Object.fromEntries(headingsOf(columns, 'UTC').map((name, at) => [name, cellsOf(subscriber)[at]])),
    ).toEqual({
      ID: '7',
      Username: 'anna',
      Email: 'anna@example.com',
      Status: 'Suspended',
      'Status ID': '2',
      'Expires (UTC)': '2026-12-31T22:00:00Z',
      Trial: 'true',
      'Connection limit': '3',
      HLS: 'true',
      'MPEG-TS': 'true',
      Note: 'Calls on Mondays.',
      Bundles: '30 7',
      'IP addresses': '192.0.2.0/24',
      'User agents': 'VLC/3.0',
      Countries: 'NO SE',
      'Access token': 'secret',
    });
  });

  test('is an object by the names of the API in JSON lines', () => {
    const line = jsonLine(columns, subscriber, { zone: 'Europe/Oslo', statuses });
    expect(line.endsWith('}\n')).toBe(true);
    const { expiresAt: _, ...rest } = subscriber;
    expect(JSON.parse(line)).toEqual({
      ...rest,
      statusName: 'Suspended',
      expiresAt: '2026-12-31T23:00:00+01:00',
    });
  });

  test.each([
    ['Europe/Oslo', '2026-07-01T10:00:00.000Z', '2026-07-01T12:00:00+02:00'],
    ['America/St_Johns', '2026-01-01T00:00:00.000Z', '2025-12-31T20:30:00-03:30'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00.250Z', '2026-01-01T05:45:00.250+05:45'],
    ['UTC', '2026-01-01T00:00:00.250Z', '2026-01-01T00:00:00.250Z'],
    ['UTC', 'soon', 'soon'],
  ])('has its expiry in %s: %s is %s', (zone, expiresAt, written) => {
    expect(cellsOf({ ...subscriber, expiresAt }, zone)).toContain(written);
  });

  test('is read again as it was, whatever its fields contain', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom('=', '-', '@', ';', '\\', ' ', "'", '"', '\n', '\r\n', '\t', ','),
          fc.string(),
        ),
        {
          maxLength: 8,
        },
      )
      .map((parts) => parts.join(''));
    const agents = fc.array(
      text.filter((one) => one !== '' && !/\p{Cc}/u.test(one)),
      { maxLength: 4 },
    );
    const zone = fc.constantFrom('UTC', 'Europe/Oslo', 'America/St_Johns', 'Australia/Lord_Howe');
    const at = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(text, agents, zone, at, fc.boolean(), (note, userAgents, inZone, date, flag) => {
        const one = {
          ...subscriber,
          note,
          userAgents,
          expiresAt: date.toISOString(),
          isTrial: flag,
          bundles: flag ? [] : [4, 2],
        };
        const headings = headingsOf(columns, inZone);
        const cells = readRow(csvRow(cellsOf(one, inZone)));
        for (const [index, heading] of headings.entries()) {
          const read = readHeading(heading);
          const cell = restoreText(cells[index] ?? '');
          if (!read || read.column.key === 'statusName') continue;
          const value = read.column.read(cell, { zone: read.zone ?? 'UTC' });
          expect(value).toEqual({ value: one[read.column.field] });
        }
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});

/** The cells of a row in which all are quoted. */
const readRow = (row: string) =>
  [...row.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n)/gy)].map(([, cell = '']) => cell.replaceAll('""', '"'));

describe('a heading', () => {
  test.each([
    ['Connection limit', 'maxConnections', null],
    ['mpeg-ts', 'mpegTs', null],
    ['ipAddresses', 'ipAddresses', null],
    [' Expires (Europe/Oslo) ', 'expiresAt', 'Europe/Oslo'],
    ['Expires', 'expiresAt', null],
  ])('%j is that of %s', (text, key, zone) => {
    const read = readHeading(text);
    expect([read?.column.key, read?.zone]).toEqual([key, zone]);
  });

  test.each(['', 'Name', 'Expires (Mars)', 'Note (UTC)'])('%j is not ours', (text) => {
    expect(readHeading(text)).toBeNull();
  });
});

describe('a cell that a person wrote', () => {
  const read = (key: string, text: string) =>
    columns.find((column) => column.key === key)?.read(text, { zone: 'Europe/Oslo' });

  test.each([
    ['isTrial', 'TRUE', true],
    ['isTrial', 'no', false],
    ['maxConnections', ' 3 ', 3],
    ['bundles', '1  2', [1, 2]],
    ['userAgents', 'VLC/3.0; Kodi/21 (X11\\; Linux)', ['VLC/3.0', 'Kodi/21 (X11; Linux)']],
    ['expiresAt', '2026-07-01', '2026-06-30T22:00:00.000Z'],
    ['expiresAt', '2026-07-01 12:00', '2026-07-01T10:00:00.000Z'],
    ['expiresAt', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
  ])('of %s is read: %j', (key, text, value) => {
    expect(read(key, text)).toEqual({ value });
  });

  test.each([
    ['isTrial', 'maybe', 'Use true or false.'],
    ['maxConnections', '1.5', 'Use a whole number.'],
    ['bundles', '1 two', 'Use a whole number.'],
    ['expiresAt', '1/7/2026', 'Enter a date and time, such as 2026-12-31 22:00 or 2026-12-31T22:00:00Z.'],
  ])('of %s that cannot be read is a sentence: %j', (key, text, problem) => {
    expect(read(key, text)).toEqual({ problem });
  });
});
