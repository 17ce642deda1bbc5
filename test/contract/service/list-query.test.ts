import fc from 'fast-check';
import * as z from 'zod/mini';
import { describe, expect, it, test } from 'vitest';
import { readParameters } from '../../../src/contract/http/endpoint.ts';
import { ListQuery } from '../../../src/contract/service/list-query.ts';
import { listReaders, sortOrders } from '../../../src/contract/service/list-rules.ts';
import { resolveTime, resolveTimes } from '../../../src/contract/service/times.ts';
import { Include } from '../../../src/contract/service/subscriber.ts';
import { faultsOf, sentencesOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

const parametersIn = (search: string) => readParameters(new URLSearchParams(search));
const readQuery = (search: string) => z.decode(ListQuery, parametersIn(search));

/** The names of the parameters that are refused; empty for none. */
const refusedIn = (schema: z.ZodMiniType, search: string) =>
  String(Object.keys(faultsOf(schema, parametersIn(search))));

/** Every parameter, as texts and as values. */
const texts = {
  Username: 'ka%ri',
  Email: '@example',
  AccessToken: 'abc',
  StatusId: '2',
  StatusIds: '1,3',
  Expired: 'true',
  IsTrial: 'false',
  Bundle: '3',
  Country: 'NO',
  IpAddress: '192.0.2.0/24',
  UserAgent: 'vlc',
  ExpiresFrom: '-30d',
  ExpiresTo: 'now',
  AfterId: '7',
  Near: 'kari',
  Note: 'calls back',
  TokenEnd: 'aB-9',
  SortBy: 'expiresAt_desc',
  Page: '3',
  PageSize: '200',
  include: 'bundles,countries',
};
const { AfterId, Near, ...others } = texts;
const values: z.output<typeof ListQuery> = {
  ...others,
  SortBy: 'expiresAt_desc',
  StatusId: 2,
  Expired: true,
  IsTrial: false,
  Bundle: 3,
  Page: 3,
  PageSize: 200,
  include: ['bundles', 'countries'],
};

describe('a moment in a query', () => {
  it('is a time of a zone, or a number of days from now', async () => {
    await expectOutcomes(
      {
        '2026-10-31T23:00:00.000Z': ['2026-11-01T00:00:00+01:00'],
        '2026-11-01T00:00:00.000Z': ['2026-11-01T00:00Z'],
        now: ['now'],
        '-30d': ['-30d'],
        '7d': ['7d'],
      },
      (text) => String(readQuery(`ExpiresFrom=${encodeURIComponent(text)}`).ExpiresFrom),
    );
    const times = ['2026-11-01', '2026-02-30T00:00:00Z', '2026-11-01T25:00:00Z'];
    const words = ['tomorrow', '0d', '+7d', '99999d', '7'];
    await expectOutcomes({ ExpiresTo: [...times, ...words] }, (text) =>
      refusedIn(ListQuery, `ExpiresTo=${encodeURIComponent(text)}`),
    );
  });

  it('begins just after now where it is relative, as those who expire now have expired', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    expect(resolveTimes({ ExpiresFrom: 'now', ExpiresTo: '7d' }, now)).toEqual({
      ExpiresFrom: '2026-11-22T12:00:00.001Z',
      ExpiresTo: '2026-11-29T12:00:00.001Z',
    });
    expect(resolveTime('-1d', now)).toBe(now + 1 - 24 * 60 * 60_000);
  });
});

describe('the query of a list', () => {
  it('is read into typed values and written from them', () => {
    expect(Object.keys(ListQuery.shape)).toEqual(Object.keys(texts));
    expect(readQuery(String(new URLSearchParams(others)))).toEqual(values);
    expect(z.encode(ListQuery, values)).toEqual(others);
    expect(readQuery(`AfterId=${AfterId}`)).toEqual({ AfterId: 7 });
    expect(readQuery(`Near=${Near}`)).toEqual({ Near });
    expect(readQuery('Page=9007199254740991&PageSize=1&StatusId=0')).toEqual({
      Page: Number.MAX_SAFE_INTEGER,
      PageSize: 1,
      StatusId: 0,
    });
  });

  it('has nothing filled in for what is absent, empty or unknown', () => {
    const empty = Object.keys(texts).map((name) => `${name}=`);
    for (const search of ['', empty.join('&'), 'username=a&PAGE=2&Size=3&__proto__=x&constructor=y'])
      expect(readQuery(search), search).toEqual({});
    expect(readQuery('Page=&Page=2')).toEqual({ Page: 2 });
    expect(z.encode(ListQuery, {})).toEqual({});
  });

  it('takes as much of a name as there can be, counted in characters', () => {
    const hands = '\u{1F44B}';
    expect(refusedIn(ListQuery, `Username=${hands.repeat(64)}&Email=${hands.repeat(254)}`)).toBe('');
    expect(refusedIn(ListQuery, `Username=${'n'.repeat(65)}`)).toBe('Username');
  });

  it('is refused by each parameter that cannot be read', async () => {
    const invalid = {
      Page: [
        '0',
        '-1',
        '-0',
        '1.5',
        '1e3',
        '+1',
        '01',
        '0x1',
        ' 1',
        'one',
        '１',
        '9007199254740993',
        '1'.repeat(400),
      ],
      PageSize: ['0', '201', '-25', 'all'],
      StatusId: ['-1', 'Active', '1,2', '9007199254740992'],
      StatusIds: ['1,', ',1', '-1', 'Active', '1, 2', '1,'.repeat(50) + '1'],
      Expired: ['TRUE', '1', 'yes', 'on'],
      AfterId: ['-1', '01', 'last'],
      IsTrial: ['False', '0', 'null'],
      SortBy: ['Username', 'email', 'username_asc', 'username,expiresAt', 'constructor'],
      Username: ['a\0', 'a\nb', '\u0085', 'n'.repeat(255)],
      AccessToken: ['a\r\nb', 't'.repeat(257)],
    };
    for (const [name, wrong] of Object.entries(invalid))
      await expectOutcomes({ [name]: wrong }, (value) =>
        refusedIn(ListQuery, String(new URLSearchParams({ [name]: value }))),
      );
    // A list of names may be repeated.
    const { include: _, ...once } = texts;
    for (const name of Object.keys(once)) expect(refusedIn(ListQuery, `${name}=1&${name}=1`)).toBe(name);
  });

  it('is refused with what would do instead', async () => {
    const repeated = 'This parameter is repeated. Use it once.';
    await expectOutcomes(
      {
        'Page: Use a whole number from 1 to 9007199254740991.': [
          'Page=9007199254740992',
          'Page=0',
          'Page=1e3',
        ],
        'PageSize: Use a whole number from 1 to 200.': ['PageSize=201'],
        'SortBy: Choose one of: username, username_desc, expiresAt, expiresAt_desc.': ['SortBy=email'],
        [`Page: ${repeated}`]: ['Page=1&Page=2'],
        [`StatusId: ${repeated}; Expired: Use true or false.`]: ['Expired=yes&StatusId=1&StatusId=2'],
      },
      (search) => sentencesOf(ListQuery, parametersIn(search)),
    );
  });

  it('is not written from values that could not be read back', () => {
    for (const query of [{ Page: 0 }, { PageSize: 201 }, { StatusId: 1.5 }, { Username: 'a\0' }])
      expect(z.safeEncode(ListQuery, query).success, JSON.stringify(query)).toBe(false);
  });
});

test('include has no unknown names, of which few are named, for each is one more sentence', () => {
  const names = Array.from({ length: 4000 }, (_, index) => index.toString(36)).join(',');
  expect(Object.keys(faultsOf(Include, { include: `bundles,${names}` }))).toHaveLength(4);
});

describe('each of listReaders', () => {
  const texts = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      '-1',
      '01',
      '25',
      '200',
      '201',
      '1e3',
      '9007199254740991',
      '9007199254740992',
    ),
    fc.constantFrom(
      'true',
      'false',
      'True',
      ...sortOrders,
      '1,2',
      '1,,2',
      'NO',
      'NOR',
      'ab',
      'abc',
      'a\nb',
      '\uD83D',
    ),
    fc.constantFrom('now', '7d', '-30d', '0d', '12345d', '2026-02-30T00:00:00Z', '2026-06-01T12:00:00+02:00'),
    fc.integer({ min: 1, max: 300 }).map((length) => 'é'.repeat(length)),
    fc.string({ unit: 'binary' }),
  );

  it('reads texts as ListQuery does', () => {
    for (const name of Object.keys(listReaders) as (keyof typeof listReaders)[])
      fc.assert(
        fc.property(texts, (text) => {
          expect(listReaders[name](text), name).toEqual(z.safeDecode(ListQuery.shape[name], text).data);
        }),
        { seed: 20_261_128, numRuns: 300 },
      );
  });
});
