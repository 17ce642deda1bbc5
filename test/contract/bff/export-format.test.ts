import { describe, expect, it, test } from 'vitest';
import {
  exportColumns,
  exportFields,
  headingsOf,
  jsonLine,
  readHeading,
} from '../../../src/contract/bff/export-format.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { anna } from '../../support/people.ts';

const columns = exportColumns({ fields: exportFields, lists: true, tokens: true });
const statuses = new Map([
  [1, 'Active'],
  [2, 'Suspended'],
]);
const subscriber: SubscriberDetail = { ...anna, id: 7, accessToken: 'secret', status: 2 };
const cellsOf = (of: SubscriberDetail, zone = 'UTC') =>
  columns.map((column) => column.write(of, { zone, statuses }));
const expiryOf = (expiresAt: string, zone: string) =>
  cellsOf({ ...subscriber, expiresAt }, zone)[columns.findIndex(({ key }) => key === 'expiresAt')];

describe('an exported subscriber', () => {
  it('has one value in each cell, in the order of the headings', () => {
    const cells = cellsOf(subscriber);
    const headings = headingsOf(columns, 'UTC');
    expect(Object.fromEntries(headings.map((name, at) => [name, cells[at]]))).toEqual({
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
      Version: expect.stringMatching(/^v1{12}-[0-9a-z]+$/),
    });
  });

  it('is an object by the names of the API in JSON lines', () => {
    const line = jsonLine(columns, subscriber, { zone: 'Europe/Oslo', statuses });
    expect(line.endsWith('}\n')).toBe(true);
    const expiresAt = '2026-12-31T23:00:00+01:00';
    expect(JSON.parse(line)).toEqual({
      ...subscriber,
      statusName: 'Suspended',
      expiresAt,
      version: expect.any(String),
    });
  });

  it('has its expiry in the zone of the export, to the millisecond', async () => {
    await expectOutcomes<[zone: string, expiresAt: string]>(
      {
        '2026-07-01T12:00:00+02:00': [['Europe/Oslo', '2026-07-01T10:00:00.000Z']],
        '2025-12-31T20:30:00-03:30': [['America/St_Johns', '2026-01-01T00:00:00.000Z']],
        '2026-01-01T05:45:00.250+05:45': [['Asia/Kathmandu', '2026-01-01T00:00:00.250Z']],
        '2026-01-01T00:00:00.250Z': [['UTC', '2026-01-01T00:00:00.250Z']],
        // The year 10000 of a zone has no form that is read again.
        '9999-12-31T23:59:59Z': [['Asia/Tokyo', '9999-12-31T23:59:59.000Z']],
        '9999-12-31T18:59:59-05:00': [['America/New_York', '9999-12-31T23:59:59.000Z']],
        soon: [['UTC', 'soon']],
      },
      ([zone, expiresAt]) => String(expiryOf(expiresAt, zone)),
    );
  });
});

test('a heading is a column’s, by the name for people or that of the API, with the zone of its times', () => {
  for (const [text, key, zone] of [
    ['Connection limit', 'maxConnections', null],
    ['mpeg-ts', 'mpegTs', null],
    ['ipAddresses', 'ipAddresses', null],
    [' Expires (Europe/Oslo) ', 'expiresAt', 'Europe/Oslo'],
    ['Expires', 'expiresAt', null],
  ] as const)
    expect(readHeading(text), text).toMatchObject({ column: { key }, zone });
  for (const text of ['', 'Name', 'Expires (Mars)', 'Note (UTC)']) expect(readHeading(text)).toBeNull();
});

describe('a cell that a person wrote', () => {
  const read = (key: string, text: string) =>
    columns.find((column) => column.key === key)?.read(text, { zone: 'Europe/Oslo', bundleNumbers });
  const bundleNumbers = new Map([
    ['sports', 3],
    ['movies, all', 4],
  ]);

  it('is read as the value of its column, or refused with a sentence', () => {
    for (const [key, text, value] of [
      ['isTrial', 'TRUE', true],
      ['isTrial', 'no', false],
      ['maxConnections', ' 3 ', 3],
      ['id', '9007199254740991', Number.MAX_SAFE_INTEGER],
      ['bundles', '1  2', [1, 2]],
      ['bundles', '7, SPÓRTS; Movies, all', [7, 3, 4]],
      ['userAgents', 'VLC/3.0; Kodi/21 (X11\\; Linux)', ['VLC/3.0', 'Kodi/21 (X11; Linux)']],
      ['expiresAt', '2026-07-01', '2026-07-01T21:59:59.000Z'],
      ['expiresAt', '2026-07-01 12:00', '2026-07-01T10:00:00.000Z'],
      ['expiresAt', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
    ] as const)
      expect(read(key, text), text).toEqual({ value });
    const time = 'Enter a date and time, such as 2026-12-31 22:00 or 2026-12-31T22:00:00Z.';
    for (const [key, text, problem] of [
      ['isTrial', 'maybe', 'Use true or false.'],
      ['maxConnections', '1.5', 'Use a whole number.'],
      ['id', '9007199254740993', 'Use a whole number.'],
      [
        'bundles',
        '7, Sport',
        'No bundle is called “Sport”. Use its number, or add the name on the page Bundles.',
      ],
      ['expiresAt', '1/7/2026', time],
    ] as const)
      expect(read(key, text), text).toEqual({ problem });
  });
});
