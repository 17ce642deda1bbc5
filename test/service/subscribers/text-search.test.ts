import { expect, test } from 'vitest';
import { textFiltersOf } from '../../../src/service/subscribers/text-search.ts';
import { createTestDesk } from '../../support/desk.ts';
import { crowd, person } from '../../support/people.ts';

test.each([
  ['e '.repeat(127), ['e']],
  ['Anna an hansen ANNA', ['anna', 'hansen']],
  [' ', []],
])('a search for “%s” looks once for each word that no other word has in it', (text, words) => {
  for (const [name, query] of [
    ['username', { Username: text }],
    ['email', { Email: text }],
  ] as const)
    expect(textFiltersOf(query)).toEqual(words.map((word) => ({ name, text: word })));
});

test.each(['Username', 'Email'])(
  'a list by more than 8 words of %s is refused, with what to do',
  async (name) => {
    const { service } = await createTestDesk();
    const list = (text: string) => service.listSubscribers({ query: { [name]: text } });
    expect((await list('a b c d e f g h a')).data.items).toEqual([]);
    await expect(list('a b c d e f g h i')).rejects.toMatchObject({
      code: 'invalid-input',
      fields: { [name]: ['Search for up to 8 words. Leave some out.'] },
    });
  },
);

test.each(['\u0301\u0302\u0303', 'a\u0301b\u0302', '😀a\u0301'])(
  'a search in notes for “%s”, fewer than 3 letters without accents, is refused for a list and a job',
  async (Note) => {
    const refusal = { code: 'invalid-input', fields: { Note: ['Use at least 3 letters, digits or signs.'] } };
    const { service, signIn } = await createTestDesk();
    await expect(service.listSubscribers({ query: { Note } })).rejects.toMatchObject(refusal);
    const { bff } = await signIn('manager');
    const job = bff.createJob({ body: { kind: 'delete', targets: { query: { Note } }, reason: 'Test' } });
    await expect(job).rejects.toMatchObject({ code: 'invalid-input' });
  },
);

test.each(['Username', 'Email'])(
  'a %s of accents alone, which everybody would match, is refused for a list and a job',
  async (name) => {
    const { service, signIn } = await createTestDesk({ people: crowd(2) });
    const query = { [name]: '\u0301 \u0302' };
    const fields = { [name]: ['Use at least one letter, digit or sign.'] };
    await expect(service.listSubscribers({ query })).rejects.toMatchObject({ code: 'invalid-input', fields });
    const { bff } = await signIn('manager');
    const job = bff.createJob({ body: { kind: 'delete', targets: { query }, reason: 'Test' } });
    await expect(job).rejects.toMatchObject({ code: 'invalid-input' });
  },
);

test.each([
  'Сергей',
  'Їжак Андрій',
  'Γιώργος Παπαδάκης',
  'ΓΙΩΡΓΟΣ',
  'ガス会社',
  '한국어',
  'अनिका',
  'مُحَمَّد',
  'שָׁלוֹם',
  'Łukasz Straße',
])(
  'a note is found by “%s” in it, in small letters, in capitals, and with its accents as characters',
  async (words) => {
    const { service } = await createTestDesk({
      people: [person('a', { note: `Called. ${words}, again.` }), person('b', { note: 'Called again.' })],
    });
    for (const Note of [words, words.toLowerCase(), words.toUpperCase(), words.normalize('NFD')]) {
      const { items } = (await service.listSubscribers({ query: { Note } })).data;
      expect(
        items.map(({ username }) => username),
        Note,
      ).toEqual(['a']);
    }
  },
);
