import { describe, expect, it, test } from 'vitest';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf, outcomeOf, sentencesOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

const emoji = '\u{1F44B}';

describe('a username', () => {
  const username = outcomeOf('username');

  it('has 1 to 64 characters, where an emoji is one, and is trimmed before', async () => {
    expect(username(`  \t${'n'.repeat(64)}\n `)).toBe(`"${'n'.repeat(64)}"`);
    const lengths = ['n'.repeat(65), emoji.repeat(65), '', '   ', '\r\n', '\uFEFF'];
    const others = [null, 7, true, {}, [], ['n']];
    await expectOutcomes<unknown>(
      { accepted: ['n', emoji.repeat(64)], 'refused: username': [...lengths, ...others] },
      username,
    );
  });

  it('has no control character and no lone surrogate', async () => {
    const controls = ['\0', '\u0007', '\u001B', '\n', '\r', '\t', '\u007F', '\u0085', '\u009F'];
    const inside = controls.map((control) => `a${control}b`);
    // No blanks that are trimmed away.
    const atEdges = ['\0name', 'name\0', '\u0085name'];
    const surrogates = ['a\uD83D', '\uDC4Ba', '\uDC4B\uD83D'];
    await expectOutcomes({ 'refused: username': [...inside, ...atEdges, ...surrogates] }, username);
  });

  it('may be in any script, with odd signs and the joiners of a word', async () => {
    const joined = ['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', '\u0D15\u0D4D\u200D'];
    const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
    const accepted = ['Łukasz', 'محمد', '%_\\', '<b>x</b>', '=1+1', family, ...joined];
    await expectOutcomes({ accepted }, username);
  });

  it('can be seen, breaks no line and turns no text', async () => {
    const invisible = [
      '\u200B',
      '\u200D\u200D',
      '\u3164',
      '\u115F',
      '\u2800',
      '\uFE0F',
      '\u{E0020}',
      '\u00AD',
    ];
    const moving = ['a\u2028b', 'a\u2029b', '\u202Eabc', 'abc\u2066', 'a\u200Fb', 'a\u061Cb'];
    await expectOutcomes(
      {
        'username: Use at least one visible character.': invisible,
        'username: Remove line breaks and marks that change the direction of text.': moving,
      },
      (name) => sentencesOf(UpdateBody, { username: name }),
    );
  });
});

test('an email is one address, of 254 characters at most: 64 before the @, 63 between two dots', async () => {
  const domain = `@${`${'d'.repeat(60)}.`.repeat(3)}example`;
  const longest = 'a'.repeat(254 - domain.length) + domain;
  expect(outcomeOf('email')(` ${longest}\n`)).toBe(`"${longest}"`);
  const notEmails = {
    'not one address': ['', 'a', 'a@', '@b.co', 'a@b', 'a@@b.de', 'a@b.de,c@d.ef', 'A <a@b.de>'],
    'with blanks or others inside': [
      'a b@c.de',
      'a@b c.de',
      'a\0@b.de',
      'a@b.de\r\nBcc: c@d.ef',
      'a\uD83D@b.de',
    ],
    'with a dot too many': ['a..b@c.de', '.a@b.de', 'a.@b.de', 'a@b..de', 'a@b.de.'],
    'of no domain': ['a@-b.de', 'a@b-.co', 'a@b.c-d', 'a@b.xn--p1ai-', 'a@192.0.2.1'],
    'too long': [`a${longest}`, `${'a'.repeat(65)}@b.co`, `a@${'b'.repeat(64)}.co`],
  };
  await expectOutcomes(
    {
      accepted: [
        'a@b.co',
        'first.last+tag@mail.example.org',
        "o'neil@example.org",
        'a@xn--bcher-kva.example',
        'a@b.xn--p1ai',
        `${'a'.repeat(64)}@b.co`,
        `a@${'b'.repeat(63)}.co`,
      ],
      'refused: email': Object.values(notEmails).flat(),
    },
    outcomeOf('email'),
  );
});

test('a note has at most 2,000 characters, where an emoji is one, with line breaks and tabs, untrimmed', async () => {
  const controls = ['\0', '\u0008', '\u000B', '\u001B', '\u007F', '\u0090'].map((control) => `a${control}b`);
  const surrogates = ['\uD83D', '\uDC4B', '\uD83D\n\uDC4B', '\uD83D\t\uDC4B'];
  await expectOutcomes<unknown>(
    {
      accepted: ['', ' one\r\n\ttwo\n', emoji.repeat(2000)],
      'refused: note': ['n'.repeat(2001), null, ...controls, ...surrogates],
    },
    outcomeOf('note'),
  );
});

test('a user agent has 1 to 256 characters, blanks included, where an emoji is one', async () => {
  const refused = ['', 'u'.repeat(257), 'a\r\nb', 'a\tb', '\0', '\u0085', '\uD83D', 7];
  await expectOutcomes<unknown>(
    { accepted: [' ', ' VLC/3.0 ', '\u{1F4FA}'.repeat(256)], 'refused: userAgents.0': refused },
    (agent) => outcomeOf('userAgents')([agent]),
  );
  expect(faultsOf(UpdateBody, { userAgents: ['VLC', 'vlc', 'VLC'] })).toEqual({
    'userAgents.2': ['VLC is in the list twice. Remove one.'],
  });
});
