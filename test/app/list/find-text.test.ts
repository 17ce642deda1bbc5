import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findTextOf } from '../../../src/app/subscriber/list-address.ts';
import { readFindText } from '../../../src/app/list/find-text.ts';

const accessToken = 'k3Jx-9_aQ0ZpL7wTn2VbYc5RsUeHdGf8MiXo1qPvBt4';
const filter = {
  kind: 'filter',
  username: undefined,
  email: undefined,
  id: null,
  terms: [],
  needsEnter: false,
};

describe('a token in the find box', () => {
  it.each([
    ['alone', accessToken],
    ['with blanks and a line break around it', `  ${accessToken}\r\n`],
    ['in the path of a playlist link', `https://tv.example/play/${accessToken}/index.m3u8?x=1`],
    ['in the query of a playlist link', `https://tv.example/get.php?token=${accessToken}&type=m3u`],
    ['in a sentence', `My link is "${accessToken}", it stopped.`],
    ['with a space in it', `${accessToken.slice(0, 20)} ${accessToken.slice(20)}`],
    ['in groups of four', accessToken.replaceAll(/.{4}/g, '$& ')],
    [
      'broken into lines, as mail programs do',
      `https://tv.example/${accessToken.slice(0, 9)}\r\n  ${accessToken.slice(9)}/x`,
    ],
    ['with a place for a break in it', `${accessToken.slice(0, 30)}\u200b${accessToken.slice(30)}`],
  ])('is found %s', (_, text) => {
    expect(readFindText(text)).toEqual({ kind: 'token', accessToken });
  });

  it('is not seen in the words of a sentence that have as many letters', () => {
    expect(readFindText('anna margrethe von und zu hohenstein-bergen a').kind).toBe('filter');
    expect('annamargrethevonundzuhohenstein-bergenabcd').toHaveLength(42);
    expect(readFindText('annamargrethe vonundzuhohen stein-bergen abcde').kind).toBe('filter');
  });

  it('is found within other text', () => {
    const letters = fc.constantFrom(...'ABCXYZabcxyz0189-_');
    const token = fc.string({ unit: letters, minLength: 43, maxLength: 43 });
    const border = fc.constantFrom('', ' ', '/', '=', '&', '"', '.', '\n', 'å');
    fc.assert(
      fc.property(token, border, border, (accessToken, before, after) => {
        expect(readFindText(before + accessToken + after)).toEqual({ kind: 'token', accessToken });
      }),
      { seed: 20_260_603, numRuns: 500 },
    );
  });

  it.each([42, 44, 86])('is not a word of %d characters', (length) => {
    expect(readFindText('a'.repeat(length)).kind).not.toBe('token');
  });

  it.each([16, 20, 30, 42])('is recognized by its first %d characters', (length) => {
    expect(readFindText(accessToken.slice(0, length))).toEqual({ kind: 'fragment' });
  });

  it('is recognized by a part of it with white space, or in a link', () => {
    for (const text of [
      `${accessToken.slice(0, 9)} ${accessToken.slice(9, 18)}`,
      `https://tv.example/play/${accessToken.slice(0, 20)}`,
    ])
      expect(readFindText(text)).toEqual({ kind: 'fragment' });
  });

  it('is not confused with a long name, which needs Enter all the same', () => {
    for (const name of [
      'anna-margrethe-von-und-zu',
      'ANNA_MARGRETHE_1984_HOME',
      'annamargrethe1984household',
      'KariNordmann1985',
      'JohnSmith1984Home123',
    ])
      expect(readFindText(name)).toEqual({ ...filter, username: name, needsEnter: true });
  });

  it('leaves all other names to be found while they are typed', () => {
    for (const name of ['kari-nordmann85', 'anna margrethe von und zu', 'anna.margrethe.von.und.zu'])
      expect(readFindText(name)).toEqual({ ...filter, username: name });
    expect(readFindText('margrethe-henriksen@example.com')).toMatchObject({ needsEnter: false });
  });
});

describe('any other text in the find box', () => {
  it.each([
    ['anna', { ...filter, username: 'anna' }],
    ['  anna berg ', { ...filter, username: 'anna berg' }],
    ['anna@', { ...filter, email: 'anna@' }],
    ['anna dot k at example dot com', { ...filter, email: 'anna.k@example.com' }],
    ['@example.com', { ...filter, email: '@example.com' }],
    ['123', { ...filter, username: '123', id: 123 }],
    ['#123', { ...filter, id: 123 }],
    ['#1234567890123456', { ...filter, id: 1_234_567_890_123_456 }],
    ['#9999999999999999', { ...filter, username: '#9999999999999999', needsEnter: true }],
    ['#anna', { ...filter, username: '#anna' }],
    ['0123', { ...filter, username: '0123' }],
    ['1234567890123456', { ...filter, username: '1234567890123456', needsEnter: true }],
    ['   ', filter],
    ['', filter],
  ])('is a filter: “%s”', (text, finding) => {
    expect(readFindText(text)).toEqual(finding);
  });
});

test('a text of more than eight different words is refused at the find box, with what to do', () => {
  const words = 'a b c d e f g h';
  expect(readFindText(`${words} A b`)).toMatchObject({ username: `${words} A b` });
  const refused = { kind: 'refused', reason: 'Search for up to 8 words. Leave some out.' };
  for (const text of [`${words} i`, `${words} @`]) expect(readFindText(text)).toEqual(refused);
});

describe('a filter in the find box', () => {
  it.each([
    ['country:NO', [{ name: 'country', value: 'NO' }]],
    ['Country: Norway', [{ name: 'country', value: 'Norway' }]],
    [
      'app:"Smart TV" plan:trial',
      [
        { name: 'app', value: 'Smart TV' },
        { name: 'plan', value: 'trial' },
      ],
    ],
    ['expires:<7d', [{ name: 'expires', value: '<7d' }]],
    ['ip:2001:db8::/32', [{ name: 'ip', value: '2001:db8::/32' }]],
    ['bundle:', [{ name: 'bundle', value: '' }]],
    ['country:"South', [{ name: 'country', value: 'South' }]],
  ])('is read from “%s”', (text, terms) => {
    expect(readFindText(text)).toEqual({ ...filter, terms });
  });

  it.each(['203.0.113.7', ' 192.0.2.0/24\n', '2001:db8::7', 'fe80::/10'])(
    'is an address alone: “%s”',
    (text) => {
      expect(readFindText(text)).toEqual({ ...filter, terms: [{ name: 'ip', value: text.trim() }] });
    },
  );

  it.each(['203.0.113', '12.5', 'anna.b', '10:30'])('is not “%s”', (text) => {
    expect(readFindText(text)).toMatchObject({ username: text, terms: [] });
  });

  it('leaves the other words for the search', () => {
    const terms = [{ name: 'country', value: 'NO' }];
    expect(readFindText('anna country:NO berg')).toEqual({ ...filter, username: 'anna berg', terms });
    expect(readFindText('country:NO #123')).toEqual({ ...filter, id: 123, terms });
    expect(readFindText('country:NO @example.com')).toEqual({ ...filter, email: '@example.com', terms });
  });

  it('is refused if it has an unknown name, and searches for nothing', () => {
    expect(readFindText('cuntry:NO')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('There’s no filter “cuntry:”. There are ip:, country:'),
    });
  });

  it('is not the name of the text itself, as it was copied', () => {
    expect(readFindText('Username: anna')).toEqual({ ...filter, username: 'anna' });
    expect(readFindText('email:anna@example.com')).toEqual({ ...filter, email: 'anna@example.com' });
  });

  it('is not the beginning of a link', () => {
    expect(readFindText('https://tv.example')).toMatchObject({ username: 'https://tv.example', terms: [] });
  });
});

test('the address of a text gives the text back', () => {
  for (const text of ['anna', 'anna@example.com', '']) {
    const { kind, ...read } = readFindText(text);
    expect(kind).toBe('filter');
    const { username, email } = { username: undefined, email: undefined, ...read };
    expect(findTextOf({ ...(username && { username }), ...(email && { email }) })).toBe(text);
  }
});

test.each([
  ['a'.repeat(64), 'filter'],
  ['a'.repeat(65), 'refused'],
  [`${'a'.repeat(253)}@`, 'filter'],
  [`${'a'.repeat(254)}@`, 'refused'],
  ['a\u0000b', 'refused'],
])('a text is refused if the service would refuse it: %s is %s', (text, kind) => {
  expect(readFindText(text).kind).toBe(kind);
});
