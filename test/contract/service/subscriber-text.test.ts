import { describe, expect, test } from 'vitest';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf, readField } from '../../support/contract/faults.ts';

const refused = (field: string) => ({ refused: [field] });
const emoji = '\u{1F44B}';

describe('a username', () => {
  test('is trimmed before it is measured and kept', () => {
    expect(readField('username', `  \t${'n'.repeat(64)}\n `)).toBe('n'.repeat(64));
  });

  test.each(['', '   ', '\r\n', '\uFEFF'])('of nothing but blanks (%j) is refused', (blank) => {
    expect(readField('username', blank)).toEqual(refused('username'));
  });

  test('has 1 to 64 characters, where an emoji is one', () => {
    expect(readField('username', 'n')).toBe('n');
    expect(readField('username', emoji.repeat(64))).toBe(emoji.repeat(64));
    expect(readField('username', emoji.repeat(65))).toEqual(refused('username'));
    expect(readField('username', 'n'.repeat(65))).toEqual(refused('username'));
  });

  test.each(['\0', '\u0007', '\u001B', '\n', '\r', '\t', '\u007F', '\u0085', '\u009F'])(
    'with the control character %j inside is refused',
    (control) => {
      expect(readField('username', `a${control}b`)).toEqual(refused('username'));
    },
  );

  test.each(['\0name', 'name\0', '\u0085name'])(
    'with a control character that is no blank at its edge (%j) is refused',
    (name) => {
      expect(readField('username', name)).toEqual(refused('username'));
    },
  );

  test.each(['a\uD83D', '\uDC4Ba', '\uDC4B\uD83D'])('with a lone surrogate (%j) is refused', (name) => {
    expect(readField('username', name)).toEqual(refused('username'));
  });

  test.each(['Łukasz', 'محمد', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', '%_\\', '<b>x</b>', '=1+1'])(
    'in any script or with odd signs (%j) is kept as it is',
    (name) => {
      expect(readField('username', name)).toBe(name);
    },
  );

  test.each([null, 7, true, {}, [], ['n']])('that is not a text (%j) is refused', (value) => {
    expect(readField('username', value)).toEqual(refused('username'));
  });

  test.each(['\u200B', '\u200D\u200D', '\u3164', '\u115F', '\u2800', '\uFE0F', '\u{E0020}'])(
    'of which nothing can be seen (%j) is refused',
    (name) => {
      expect(faultsOf(UpdateBody, { username: name })).toEqual({
        username: ['Use at least one visible character.'],
      });
    },
  );

  test.each(['a\u2028b', 'a\u2029b', '\u202Eabc', 'abc\u2066', 'a\u200Fb', 'a\u061Cb'])(
    'that breaks the line or turns the direction of text (%j) is refused',
    (name) => {
      expect(faultsOf(UpdateBody, { username: name })).toEqual({
        username: ['Remove line breaks and marks that change the direction of text.'],
      });
    },
  );

  test.each(['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', '\u0D15\u0D4D\u200D'])(
    'with joiners inside a word (%j), as some scripts need them, is kept',
    (name) => {
      expect(readField('username', name)).toBe(name);
    },
  );
});

describe('an email', () => {
  test.each([
    'a@b.co',
    'first.last+tag@mail.example.org',
    "o'neil@example.org",
    'a@xn--bcher-kva.example',
    'a@b.xn--p1ai',
  ])('%s is taken', (email) => {
    expect(readField('email', email)).toBe(email);
  });

  test.each([
    '',
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a b@c.de',
    'a@b c.de',
    'a..b@c.de',
    '.a@b.de',
    'a.@b.de',
    'a@b..de',
    'a@-b.de',
    'a@b-.co',
    'a@b.c-d',
    'a@b.xn--p1ai-',
    'a@192.0.2.1',
    'a@b.de.',
    'a@@b.de',
    'a@b.de,c@d.ef',
    'A <a@b.de>',
    'a@b.de\r\nBcc: c@d.ef',
    'a\0@b.de',
    'a\uD83D@b.de',
  ])('%j is refused', (email) => {
    expect(readField('email', email)).toEqual(refused('email'));
  });

  test('is trimmed, and has at most 254 characters', () => {
    const domain = `@${`${'d'.repeat(60)}.`.repeat(3)}example`;
    const longest = 'a'.repeat(254 - domain.length) + domain;
    expect(readField('email', ` ${longest}\n`)).toBe(longest);
    expect(readField('email', `a${longest}`)).toEqual(refused('email'));
  });

  test('has at most 64 characters before the @, and 63 between two dots', () => {
    expect(readField('email', `${'a'.repeat(64)}@b.co`)).toBe(`${'a'.repeat(64)}@b.co`);
    expect(readField('email', `${'a'.repeat(65)}@b.co`)).toEqual(refused('email'));
    expect(readField('email', `a@${'b'.repeat(63)}.co`)).toBe(`a@${'b'.repeat(63)}.co`);
    expect(readField('email', `a@${'b'.repeat(64)}.co`)).toEqual(refused('email'));
  });
});

describe('a note', () => {
  test('may be empty and have line breaks and tabs, and is not trimmed', () => {
    expect(readField('note', '')).toBe('');
    expect(readField('note', ' one\r\n\ttwo\n')).toBe(' one\r\n\ttwo\n');
  });

  test('has at most 2,000 characters, where an emoji is one', () => {
    expect(readField('note', emoji.repeat(2000))).toBe(emoji.repeat(2000));
    expect(readField('note', 'n'.repeat(2001))).toEqual(refused('note'));
  });

  test.each(['\0', '\u0008', '\u000B', '\u001B', '\u007F', '\u0090'])(
    'with the control character %j is refused',
    (control) => {
      expect(readField('note', `a${control}b`)).toEqual(refused('note'));
    },
  );

  test.each(['\uD83D', '\uDC4B', '\uD83D\n\uDC4B', '\uD83D\t\uDC4B'])(
    'with lone surrogates (%j) is refused',
    (text) => {
      expect(readField('note', text)).toEqual(refused('note'));
    },
  );

  test('that is null is refused: an empty note is ""', () => {
    expect(readField('note', null)).toEqual(refused('note'));
  });
});
