import { describe, expect, it, test } from 'vitest';
import { shownCells } from '../../../src/bff/imports/read-text.ts';
import { cellsIn, readParts } from '../../support/bff/import-file.ts';

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test('a file of another kind is refused, instead of a sentence for each of its lines', () => {
  expect(() => readParts('x\n'.repeat(20_000), { name: 'a.jsonl' })).toThrow(
    'More than 1,000 lines of this file are no objects of JSON. Choose another file.',
  );
  expect(readParts('x\n'.repeat(900) + '{"id":1}\n', { name: 'a.jsonl' }).rows).toHaveLength(901);
});

describe('a file of JSON lines', () => {
  it('has the names of all its objects as columns, and a row for each object', () => {
    const file = lines(
      { id: 1, note: 'Ok' },
      { countries: ['NO', 'SE'], id: 2 },
      { id: 3, note: null, isTrial: true },
    );
    const { format, headings, columns, rows } = cellsIn(file);
    expect([format, headings, columns]).toEqual([
      'jsonl',
      ['id', 'note', 'countries', 'isTrial'],
      ['id', 'note', 'countries', 'isTrial'],
    ]);
    expect(rows).toEqual([
      ['1', 'Ok', '', ''],
      ['2', '', 'NO SE', ''],
      ['3', '', '', 'true'],
    ]);
    const { rows: stored, ...state } = readParts(file);
    // What later objects have besides is empty in the first.
    expect(shownCells({ ...state, rows: 3 }, stored[0] ?? [])).toEqual(['1', 'Ok', '', '']);
  });

  it('is stored with the values that its lines have, however many names others have', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, index]));
    const text = lines(many, ...Array.from({ length: 1_000 }, () => ({ n99: null, n98: 7 })), {});
    const { rows } = readParts(text);
    expect(JSON.stringify(rows).length).toBeLessThan(2 * text.length);
    expect(cellsIn(text).rows.slice(-2)).toEqual([
      Array.from({ length: 100 }, (_, index) => (index === 98 ? '7' : '')),
      Array(100).fill(''),
    ]);
  });

  it('is stored without what is within an object or a deep list, such as a token', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const { rows } = readParts(`{"id":1,"a":${deep},"b":{"accessToken":"t0p"},"c":[{"d":"t0p"}],"e":[1]}`);
    expect(rows).toEqual([{ 0: 1, 1: {}, 2: {}, 3: {}, 4: [1] }]);
  });

  it('is read as an earlier version has stored it', () => {
    const { rows, ...state } = readParts(lines({ id: 1, note: 'a', countries: ['NO'] }));
    expect(shownCells({ ...state, rows: 1 }, ['1', null, ['NO', 'SE']])).toEqual(['1', '', 'NO SE']);
    expect(rows).toEqual([{ 0: 1, 1: 'a', 2: ['NO'] }]);
  });

  it('keeps what is missing or null, and empties by an empty text or list', () => {
    const file = lines({ id: 1, note: '', countries: [], email: '' }, { id: 2, note: null });
    expect(cellsIn(file).rows).toEqual([
      ['1', '-', '-', ''],
      ['2', '', '', ''],
    ]);
  });

  it('sends a text so that it is read as it was, also a lone hyphen and a formula', () => {
    const file = lines({ id: 1, note: '-' }, { id: 2, note: "'=1+1" }, { id: 3, userAgents: ['a;b', '-'] });
    expect(cellsIn(file).rows).toEqual([
      ['1', "'-", ''],
      ['2', "''=1+1", ''],
      ['3', '', String.raw`a\;b;'-`],
    ]);
  });

  it.each([
    ['not JSON', '{"id": 2', 'Line 3 isn’t JSON. Write one object on each line, such as {"id": 1}.'],
    ['a list', '[1]', 'Line 3 isn’t an object. Write one object on each line, such as {"id": 1}.'],
    ['a text', '"x"', 'Line 3 isn’t an object. Write one object on each line, such as {"id": 1}.'],
    ['an object in a note', '{"note": {}}', '“note” has a list or an object that can’t be read here.'],
    ['a list in a note', '{"note": []}', '“note” has a list or an object that can’t be read here.'],
    ['a list in a list', '{"bundles": [[1]]}', '“bundles” has a list or an object that can’t be read here.'],
    ['null in a list', '{"bundles": [null]}', '“bundles” has a list or an object that can’t be read here.'],
  ])('says what is wrong with a line that has %s, and reads the others', (_, line, problem) => {
    const file = `{"id":1,"note":"a","bundles":[1]}\r\n\r${line}\n{"id":3}`;
    expect(cellsIn(file).rows).toEqual([['1', 'a', '1'], { problem }, ['3', '', '']]);
  });

  it('may have other values besides, of any shape', () => {
    const file = lines({ id: 1, tags: ['a'], colour: '=red' });
    const { columns, rows } = cellsIn(file);
    expect([columns, rows]).toEqual([['id', null, null], [['1', '', "'=red"]]]);
  });

  it.each([
    ['is not called so', ' \n{"id":1}\n', 'people'],
    ['begins with a line that is no object', 'id\n{"id":1}\n', 'people.JSONL'],
    ['has old line breaks', '{"id":1}\r\r\n', 'people'],
  ])('is known as such when it %s', (_, text, name) => {
    const { format, rows } = cellsIn(text, { name });
    expect([format, rows.at(-1)]).toEqual(['jsonl', ['1']]);
  });

  it.each([
    ['is empty', ' \n', 'This file is empty.'],
    ['has no objects', '[1]\n2\n', 'Line 1 isn’t an object.'],
    ['has objects without anything', '{}\n{}\n', 'No line of this file names a value.'],
    ['has a very long line', `{"id":1}\n{"a":"${'b'.repeat(3_000_000)}`, 'Line 2 is too long'],
    ['has too long a value', lines({ note: 'b'.repeat(30_001) }), 'Row 1 has a cell with more than 30,000'],
    ['has too long a name', lines({ a: 1, ['b'.repeat(201)]: 1 }), 'The name of column 2 has more than 200'],
    [
      'has too many names',
      lines(...Array.from({ length: 101 }, (_, index) => ({ [`n${index}`]: 1 }))),
      '100 different names',
    ],
    ['has too many rows', '{"id":1}\n'.repeat(100_001), 'This file has more than 100,000 rows.'],
  ])('is refused with a sentence if it %s', (_, text, sentence) => {
    expect(() => readParts(text, { name: 'a.jsonl' })).toThrow(sentence);
  });

  it('has the same rows, however it is cut into parts', () => {
    const file = Array.from(
      { length: 300 },
      (_, id) => `${JSON.stringify({ id, note: '€'.repeat(id % 90) })}${id % 2 ? '\n' : '\r\n'}`,
    ).join('');
    for (const size of [130, 151, 1_000])
      expect(readParts(file, { size }).rows.map((row) => Object.values(row)[0])).toEqual(
        Array.from({ length: 300 }, (_, id) => id),
      );
  });
});
