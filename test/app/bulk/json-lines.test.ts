import { describe, expect, it } from 'vitest';
import { summarizeFile } from '../../../src/app/bulk/read-file.ts';
import { readFile } from '../../support/app/import-file.ts';

const lines = (...values: unknown[]) => new Blob(values.map((value) => `${JSON.stringify(value)}\n`));

describe('a file of JSON lines', () => {
  it('has the names of all its objects as columns, and a row for each object', async () => {
    const file = lines(
      { id: 1, note: 'Ok' },
      { countries: ['NO', 'SE'], id: 2 },
      { id: 3, note: null, isTrial: true },
    );
    const { format, headings, columns, count, rows } = await readFile(file);
    expect([format, headings, columns, count]).toEqual([
      'jsonl',
      ['id', 'note', 'countries', 'isTrial'],
      ['id', 'note', 'countries', 'isTrial'],
      3,
    ]);
    expect(rows).toEqual([
      ['1', 'Ok', '', ''],
      ['2', '', 'NO SE', ''],
      ['3', '', '', 'true'],
    ]);
    const { examples } = await summarizeFile(file);
    // What later objects have besides is empty in the first.
    expect(examples[0]).toEqual(['1', 'Ok', '', '']);
  });

  it('keeps what is missing or null, and empties by an empty text or list', async () => {
    const file = lines({ id: 1, note: '', countries: [], email: '' }, { id: 2, note: null });
    expect((await readFile(file)).rows).toEqual([
      ['1', '-', '-', ''],
      ['2', '', '', ''],
    ]);
  });

  it('sends a text so that it is read as it was, also a lone hyphen and a formula', async () => {
    const file = lines({ id: 1, note: '-' }, { id: 2, note: "'=1+1" }, { id: 3, userAgents: ['a;b', '-'] });
    expect((await readFile(file)).rows).toEqual([
      ['1', "'-", ''],
      ['2', "''=1+1", ''],
      ['3', '', String.raw`a\;b;'-`],
    ]);
  });

  it.each([
    ['not JSON', '{"id": 2', 'Line 3 isn’t JSON. Write one object on each line, such as {"id": 1}.'],
    ['a list', '[1]', 'Line 3 isn’t an object. Write one object on each line, such as {"id": 1}.'],
    ['a text', '"x"', 'Line 3 isn’t an object. Write one object on each line, such as {"id": 1}.'],
    [
      'an object in a note',
      '{"note": {}}',
      'Line 3: “note” has a list or an object that can’t be read here.',
    ],
    ['a list in a note', '{"note": []}', 'Line 3: “note” has a list or an object that can’t be read here.'],
    [
      'a list in a list',
      '{"bundles": [[1]]}',
      'Line 3: “bundles” has a list or an object that can’t be read here.',
    ],
    [
      'null in a list',
      '{"bundles": [null]}',
      'Line 3: “bundles” has a list or an object that can’t be read here.',
    ],
  ])('says what is wrong with a line that has %s, and reads the others', async (_, line, problem) => {
    const file = new Blob(['{"id":1,"note":"a","bundles":[1]}\r\n\r', `${line}\n{"id":3}`]);
    expect((await readFile(file)).rows).toEqual([['1', 'a', '1'], { problem }, ['3', '', '']]);
  });

  it('may have other values besides, of any shape', async () => {
    const file = lines({ id: 1, tags: ['a'], colour: '=red' });
    const { columns, rows } = await readFile(file);
    expect([columns, rows]).toEqual([['id', null, null], [['1', '', "'=red"]]]);
  });

  it.each([
    ['is not called so', new Blob(['\uFEFF \n{"id":1}\n'])],
    ['begins with a line that is no object', new File(['id\n{"id":1}\n'], 'people.JSONL')],
    ['is in UTF-16', new Blob([utf16('\uFEFF{"id":1}\r\r\n')])],
  ])('is known as such when it %s', async (_, file) => {
    const { format, rows } = await readFile(file);
    expect([format, rows.at(-1)]).toEqual(['jsonl', ['1']]);
  });

  it.each([
    ['is empty', new File([' \n'], 'a.jsonl'), 'This file is empty.'],
    ['has no objects', new File(['[1]\n2\n'], 'a.jsonl'), 'Line 1 isn’t an object.'],
    ['has objects without anything', new Blob(['{}\n{}\n']), 'No line of this file names a value.'],
    ['has a very long line', new Blob(['{"id":1}\n{"a":"', 'b'.repeat(3_000_000)]), 'Line 2 is too long'],
    ['has too long a value', lines({ note: 'b'.repeat(20_001) }), 'Row 1 has a cell with more than 20,000'],
    [
      'has too many names',
      lines(...Array.from({ length: 101 }, (_, index) => ({ [`n${index}`]: 1 }))),
      '100 different names',
    ],
    ['has too many rows', new Blob(['{"id":1}\n'.repeat(100_001)]), 'This file has more than 100,000 rows.'],
  ])('is refused with a sentence if it %s', async (_, file, sentence) => {
    await expect(summarizeFile(file)).rejects.toThrow(sentence);
  });

  it('is cut into requests that the server takes, whatever its pieces', async () => {
    const file = new Blob(
      Array.from(
        { length: 3_000 },
        (_, id) => `${JSON.stringify({ id, note: '€'.repeat(id % 90) })}${id % 2 ? '\n' : '\r\n'}`,
      ),
    );
    const { batches, rows } = await readFile(file);
    expect(rows.map((row) => ('problem' in row ? row.problem : row[0]))).toEqual(
      Array.from({ length: 3_000 }, (_, id) => String(id)),
    );
    for (const batch of batches) expect(new Blob([JSON.stringify(batch)]).size).toBeLessThan(64 * 1024);
  });
});

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer);
}
