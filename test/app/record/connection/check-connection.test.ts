import { describe, expect, it, test } from 'vitest';
import { checkConnection } from '../../../../src/app/record/connection/check-connection.ts';
import type { Connection } from '../../../../src/app/record/connection/read-connection.ts';
import type { SubscriberInput } from '../../../../src/contract/service/subscriber-input.ts';
import { limits } from '../../../../src/contract/service/limits.ts';
import { anna, person } from '../../../support/people.ts';
import { testTime } from '../../../support/setup/fixed-time.ts';

const nothing: Connection = {
  addresses: [],
  userAgents: [],
  apps: [],
  countries: [],
  places: [],
  formats: [],
};

/** The answer of a rule, as "answer: because", and its offers. */
function ask(
  rule: string,
  own: Partial<SubscriberInput>,
  connection: Partial<Connection> = {},
  status = 'Active',
) {
  const values = { ...anna, ...own };
  const answers = checkConnection({ ...values, status: 1 }, status, testTime, { ...nothing, ...connection });
  return answers
    .filter((answer) => answer.rule === rule)
    .map(({ answer, because, offers }) => ({
      says: `${answer}: ${because}`,
      offers: offers.map(({ action, change }) => [action, change(values)]),
    }));
}
const says = (...all: Parameters<typeof ask>) => ask(...all).map((answer) => answer.says);

test('the expiry answers from the record', () => {
  expect(says('Expires', {})).toEqual(['yes: Expires on 31 Dec 2026, 23:00 (22:00 UTC).']);
  expect(says('Expires', { expiresAt: '2026-05-22T13:00:00.000Z' })).toEqual([
    'no: Expired on 22 May 2026, 15:00 (13:00 UTC).',
  ]);
});

test('a status other than Active probably stops it, and the number of devices stays open', () => {
  expect(says('Status', {})).toEqual(['yes: Active.']);
  expect(says('Status', {}, {}, 'Blocked')).toEqual(['probably not: Blocked. That probably stops it.']);
  expect(says('Connection limit', {})).toEqual([
    'unknown: 3 devices at once. How many are connected isn’t known.',
  ]);
});

describe('the check of the format', () => {
  test.each<[Partial<SubscriberInput>, Connection['formats'], string[]]>([
    [{}, ['hls'], ['yes: HLS is on.']],
    [{}, [], ['yes: HLS and MPEG-TS are both on.']],
    [{ hls: false }, ['hls', 'mpegTs'], ['no: HLS is off.', 'yes: MPEG-TS is on.']],
    [{ hls: false }, [], ['unknown: The text names no format, such as .m3u8 or .ts.']],
    [{ hls: false }, ['ts'], ['yes: MPEG-TS is on.']],
    [{ mpegTs: false }, ['ts'], ['unknown: MPEG-TS is off, but HLS also sends .ts files.']],
    [{ hls: false, mpegTs: false }, ['ts'], ['no: HLS and MPEG-TS are both off.']],
    [{ hls: false, mpegTs: false }, [], ['no: HLS and MPEG-TS are both off.']],
  ])('the format is checked for %o, %j: %j', (own, formats, expected) => {
    expect(says('Format', own, { formats })).toEqual(expected);
  });

  it('offers to turn on what is off', () => {
    expect(ask('Format', { hls: false }, { formats: ['hls'] })[0]?.offers).toEqual([
      ['Turn on HLS', { hls: true }],
    ]);
  });
});

describe('the check of the countries', () => {
  test.each<[string[], string[], string[]]>([
    [[], ['GR'], ['yes: No limit.']],
    [['NO'], ['NO'], ['yes: Norway is in the list.']],
    [['NO'], ['GR', 'NO'], ['no: Greece isn’t in the list.', 'yes: Norway is in the list.']],
    [['NO'], [], ['unknown: The text names no country, and an IP address alone doesn’t tell it.']],
  ])('the countries are checked for %j, %j: %j', (entries, countries, expected) => {
    expect(says('Countries', { countries: entries }, { countries })).toEqual(expected);
  });

  it('asks for the country of a place that it does not know', () => {
    expect(says('Countries', { countries: ['NO'] }, { places: ['Tromsø'] })).toEqual([
      'unknown: “Tromsø” isn’t known as a country or a town. Ask for the country.',
    ]);
  });

  it('offers to add just the one that is missing', () => {
    expect(ask('Countries', {}, { countries: ['GR'] })[0]?.offers).toEqual([
      ['Add Greece', { countries: ['NO', 'SE', 'GR'] }],
    ]);
  });
});

describe('the check of the IP addresses', () => {
  test.each<[string[], string[], string[]]>([
    [[], ['203.0.113.7'], ['yes: No limit.']],
    [['192.0.2.0/24'], ['192.0.2.9'], ['yes: 192.0.2.9 is in 192.0.2.0/24.']],
    [['2001:DB8::/32'], ['2001:db8::1'], ['yes: 2001:db8::1 is in 2001:DB8::/32.']],
    [['192.0.2.9'], ['192.0.2.9'], ['yes: 192.0.2.9 is in the list.']],
    [['192.0.2.9'], ['203.0.113.7'], ['no: 203.0.113.7 isn’t in the list.']],
    [['192.0.2.9'], [], ['unknown: The text has no IP address.']],
    [['192.0.2.9'], ['192.0.2.0/24'], ['unknown: Only a part of 192.0.2.0/24 is in the list: 192.0.2.9.']],
    [
      ['192.0.2.9'],
      ['192.168.1.5'],
      [
        'unknown: 192.168.1.5 is an address inside a home. Ask for the one that a “what is my IP” page shows.',
      ],
    ],
    [['192.168.1.5'], ['192.168.1.5'], ['yes: 192.168.1.5 is in the list.']],
    [
      ['192.0.2.9', '10.0.0.1-10.0.0.9'],
      ['203.0.113.7'],
      ['unknown: 203.0.113.7 isn’t in the list, but some of its entries can’t be read.'],
    ],
  ])('the IP addresses are checked for %j, %j: %j', (ipAddresses, addresses, expected) => {
    expect(says('IP addresses', { ipAddresses }, { addresses })).toEqual(expected);
  });

  it('offers to add this address, or the ones around it', () => {
    expect(ask('IP addresses', {}, { addresses: ['203.0.113.7'] })[0]?.offers).toEqual([
      ['Add 203.0.113.7', { ipAddresses: ['192.0.2.0/24', '203.0.113.7'] }],
      ['Add 203.0.113.0/24', { ipAddresses: ['192.0.2.0/24', '203.0.113.0/24'] }],
    ]);
    expect(ask('IP addresses', {}, { addresses: ['203.0.113.0/28'] })[0]?.offers).toHaveLength(1);
  });

  it('offers nothing where the list is full, and says so', () => {
    const ipAddresses = Array.from({ length: limits.ipAddresses }, (_, index) => `192.0.2.${index}`);
    expect(ask('IP addresses', { ipAddresses }, { addresses: ['203.0.113.7'] })).toEqual([
      { says: 'no: 203.0.113.7 isn’t in the list. The list is full (100 entries).', offers: [] },
    ]);
  });
});

describe('the check of the user agents', () => {
  const open = (agent: string) =>
    `probably not: No entry is a part of ${agent}. How the subscriber service compares them isn’t known.`;
  test.each<[string[], string[], string[]]>([
    [[], ['Kodi/21'], ['yes: No limit.']],
    [['VLC/3.0'], ['VLC/3.0'], ['yes: VLC/3.0 is in the list.']],
    [['VLC/3.0'], ['VLC/3.0.18 X/1'], ['yes: VLC/3.0.18 X/1 has the entry VLC/3.0 in it.']],
    [['VLC/3.0'], ['Kodi/21'], [open('Kodi/21')]],
    [['VLC/3.0.18'], ['VLC/3.0'], [open('VLC/3.0')]],
    [['VLC/3.0'], ['vlc/3.0'], [open('vlc/3.0')]],
    [['VLC/3.0'], [], ['unknown: The text names no app, such as VLC or Samsung TV.']],
  ])('the user agents are checked for %j, %j: %j', (userAgents, agents, expected) => {
    expect(says('User agents', { userAgents }, { userAgents: agents })).toEqual(expected);
  });

  it.each([
    ['VLC', 'yes: VLC is in the list, as VLC/3.0.'],
    ['Samsung TV', 'yes: Samsung TV is in the list, as Mozilla/5.0 (SMART-TV; Tizen 6.0).'],
    ['Kodi', 'probably not: No entry names Kodi. A line of the log would show the entry to add.'],
  ])('knows %s by the words of user agents', (app, expected) => {
    const userAgents = ['VLC/3.0', 'Mozilla/5.0 (SMART-TV; Tizen 6.0)'];
    expect(says('User agents', { userAgents }, { apps: [app] })).toEqual([expected]);
  });

  it('offers to add this app, unless it is longer than an entry can be', () => {
    expect(ask('User agents', {}, { userAgents: ['Kodi/21'] })[0]?.offers).toEqual([
      ['Add this app', { userAgents: ['VLC/3.0', 'Kodi/21'] }],
    ]);
    const long = `Kodi/${'1'.repeat(limits.userAgent)}`;
    expect(ask('User agents', {}, { userAgents: [long] })[0]?.offers).toEqual([]);
  });
});

test('a record without limits stops nothing', () => {
  const answers = checkConnection({ ...person('ann'), status: 1 }, 'Active', testTime, nothing);
  const open = answers.filter(({ answer }) => answer !== 'yes').map(({ rule }) => rule);
  expect(open).toEqual(['Connection limit']);
});
