import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { readParameters } from '../../../src/contract/http/endpoint.ts';
import { ListQuery } from '../../../src/contract/service/list-query.ts';
import { resolveMoment, resolveMoments } from '../../../src/contract/service/moment.ts';
import { AccessToken, Include, SubscriberId } from '../../../src/contract/service/subscriber.ts';
import { faultsOf } from '../../support/contract/faults.ts';

const readQuery = (search: string) => z.decode(ListQuery, readParameters(new URLSearchParams(search)));
const refusedIn = (schema: z.ZodMiniType, search: string) =>
  Object.keys(faultsOf(schema, readParameters(new URLSearchParams(search))));

const anyPage = 'Use a whole number from 1 to 9007199254740991.';

describe('a moment in a query', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');

  test.each([
    ['2026-11-01T00:00:00+01:00', '2026-10-31T23:00:00.000Z'],
    ['2026-11-01T00:00Z', '2026-11-01T00:00:00.000Z'],
    ['now', 'now'],
    ['-30d', '-30d'],
    ['7d', '7d'],
  ])('%s is read', (text, moment) => {
    expect(readQuery(`ExpiresFrom=${encodeURIComponent(text)}`)).toEqual({ ExpiresFrom: moment });
  });

  test.each([
    '2026-11-01',
    '2026-02-30T00:00:00Z',
    '2026-11-01T25:00:00Z',
    'tomorrow',
    '0d',
    '+7d',
    '99999d',
    '7',
  ])('%s is refused', (text) => {
    expect(refusedIn(ListQuery, `ExpiresTo=${encodeURIComponent(text)}`)).toEqual(['ExpiresTo']);
  });

  test('that is relative begins just after now, as those who expire now have expired', () => {
    expect(resolveMoments({ ExpiresFrom: 'now', ExpiresTo: '7d' }, now)).toEqual({
      ExpiresFrom: '2026-11-22T12:00:00.001Z',
      ExpiresTo: '2026-11-29T12:00:00.001Z',
    });
    expect(resolveMoment('-1d', now)).toBe(now + 1 - 24 * 60 * 60_000);
  });
});

describe('the query of a list', () => {
  test('is read into typed values', () => {
    const search =
      'Username=ka%25ri&Email=%40example&AccessToken=abc&StatusId=2&Expired=true&IsTrial=false&SortBy=expiresAt_desc&Page=3&PageSize=200';
    expect(readQuery(search)).toEqual({
      Username: 'ka%ri',
      Email: '@example',
      AccessToken: 'abc',
      StatusId: 2,
      Expired: true,
      IsTrial: false,
      SortBy: 'expiresAt_desc',
      Page: 3,
      PageSize: 200,
    });
  });

  test('is written from typed values', () => {
    const query = {
      Username: 'ka%ri',
      StatusId: 2,
      Expired: false,
      IsTrial: true,
      SortBy: 'username',
      Page: 1,
    } as const;
    expect(z.encode(ListQuery, query)).toEqual({
      Username: 'ka%ri',
      StatusId: '2',
      Expired: 'false',
      IsTrial: 'true',
      SortBy: 'username',
      Page: '1',
    });
  });

  test.each([
    ['Page=9007199254740992', { Page: [anyPage] }],
    ['Page=0', { Page: [anyPage] }],
    ['PageSize=201', { PageSize: ['Use a whole number from 1 to 200.'] }],
    ['Page=1&Page=2', { Page: ['This parameter is repeated. Use it once.'] }],
    ['Page=1e3', { Page: [anyPage] }],
  ])('says in one sentence what is wrong with %s', (search, faults) => {
    expect(faultsOf(ListQuery, readParameters(new URLSearchParams(search)))).toEqual(faults);
  });

  test('takes as much of a name as there can be, counted in characters', () => {
    const hands = '\u{1F44B}';
    expect(refusedIn(ListQuery, `Username=${hands.repeat(64)}&Email=${hands.repeat(254)}`)).toEqual([]);
    expect(refusedIn(ListQuery, `Username=${'n'.repeat(65)}`)).toEqual(['Username']);
  });

  test('may be empty, and fills nothing in', () => {
    expect(readQuery('')).toEqual({});
    expect(z.encode(ListQuery, {})).toEqual({});
  });

  test('takes an empty value as if it were absent', () => {
    expect(
      readQuery('Username=&Email=&AccessToken=&StatusId=&Expired=&IsTrial=&SortBy=&Page=&PageSize='),
    ).toEqual({});
    expect(readQuery('Page=&Page=2')).toEqual({ Page: 2 });
  });

  test('ignores unknown names, and names in other letters', () => {
    expect(readQuery('username=a&PAGE=2&Size=3&__proto__=x&constructor=y')).toEqual({});
  });

  test.each([
    'Username',
    'Email',
    'AccessToken',
    'StatusId',
    'Expired',
    'IsTrial',
    'AfterId',
    'SortBy',
    'Page',
    'PageSize',
  ])('refuses %s when it comes twice', (name) => {
    expect(refusedIn(ListQuery, `${name}=1&${name}=1`)).toEqual([name]);
  });

  test.each([
    [
      'Page',
      [
        '0',
        '-1',
        '1.5',
        '1e3',
        '+1',
        '01',
        '0x1',
        ' 1',
        'one',
        '9007199254740993',
        '1'.repeat(400),
        '-0',
        '１',
      ],
    ],
    ['PageSize', ['0', '201', '-25', 'all']],
    ['StatusId', ['-1', 'Active', '1,2', '9007199254740992']],
    ['Expired', ['TRUE', '1', 'yes', 'on']],
    ['AfterId', ['-1', '01', 'last']],
    ['IsTrial', ['False', '0', 'null']],
    ['SortBy', ['Username', 'email', 'username_asc', 'username,expiresAt', 'constructor']],
    ['Username', ['a\0', 'a\nb', '\u0085', 'n'.repeat(255)]],
    ['AccessToken', ['a\r\nb', 't'.repeat(257)]],
  ])('refuses a %s that cannot be read', (name, values) => {
    for (const value of values) {
      expect(refusedIn(ListQuery, String(new URLSearchParams({ [name]: value }))), value).toEqual([name]);
    }
  });

  test('takes the edges of its ranges', () => {
    expect(readQuery('Page=9007199254740991&PageSize=1&StatusId=0')).toEqual({
      Page: Number.MAX_SAFE_INTEGER,
      PageSize: 1,
      StatusId: 0,
    });
  });

  test('says for each faulty parameter what would do', () => {
    expect(
      faultsOf(ListQuery, {
        Page: '0',
        PageSize: '201',
        SortBy: 'email',
        Expired: 'yes',
        StatusId: ['1', '2'],
      }),
    ).toEqual({
      Page: [anyPage],
      PageSize: ['Use a whole number from 1 to 200.'],
      SortBy: ['Choose one of: username, username_desc, expiresAt, expiresAt_desc.'],
      Expired: ['Use true or false.'],
      StatusId: ['This parameter is repeated. Use it once.'],
    });
  });

  test('is not written from values that could not be read back', () => {
    for (const query of [{ Page: 0 }, { PageSize: 201 }, { StatusId: 1.5 }, { Username: 'a\0' }])
      expect(z.safeEncode(ListQuery, query).success, JSON.stringify(query)).toBe(false);
  });
});

describe('include', () => {
  const readInclude = (search: string) => z.decode(Include, readParameters(new URLSearchParams(search)));

  test('is comma-separated, repeated, or both at once', () => {
    expect(readInclude('include=bundles,countries')).toEqual({ include: ['bundles', 'countries'] });
    expect(readInclude('include=bundles&include=countries')).toEqual({ include: ['bundles', 'countries'] });
    expect(
      readInclude('include=bundles,countries&include=userAgents&include=&include=,ipAddresses,'),
    ).toEqual({
      include: ['bundles', 'countries', 'userAgents', 'ipAddresses'],
    });
  });

  test('may be absent or empty', () => {
    expect(readInclude('')).toEqual({});
    expect(readInclude('include=')).toEqual({});
    expect(readInclude('include=,')).toEqual({ include: [] });
  });

  test.each(['note', 'Bundles', 'bundles countries', 'bundles,constructor', '__proto__'])(
    'refuses the unknown %s',
    (names) => {
      expect(refusedIn(Include, `include=${names}`)).toHaveLength(1);
    },
  );

  test('is written with commas', () => {
    expect(z.encode(Include, { include: ['bundles', 'userAgents'] })).toEqual({
      include: 'bundles,userAgents',
    });
  });
});

describe('the parameters of a path', () => {
  test('an id is a whole number from 1', () => {
    expect(z.decode(SubscriberId, { id: '7' })).toEqual({ id: 7 });
    expect(z.encode(SubscriberId, { id: 7 })).toEqual({ id: '7' });
    for (const id of [
      '0',
      '-1',
      '7.0',
      '7e0',
      '07',
      '0x7',
      '',
      ' 7',
      '7\n',
      'abc',
      '9007199254740992',
      'NaN',
      'null',
    ])
      expect(Object.keys(faultsOf(SubscriberId, { id })), id).toEqual(['id']);
  });

  test.each(['.', '..'])('an access token is not %j, which a URL takes as a step', (accessToken) => {
    expect(Object.keys(faultsOf(AccessToken, { accessToken }))).toEqual(['accessToken']);
    expect(z.safeEncode(AccessToken, { accessToken }).success).toBe(false);
  });

  test.each(['...', '../..', '%2e%2e', 'a/b', 'a?b#c', 'Ångström'])(
    'an access token may be %j',
    (accessToken) => {
      expect(z.decode(AccessToken, { accessToken })).toEqual({ accessToken });
    },
  );
});
