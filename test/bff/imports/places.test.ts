import { expect, test } from 'vitest';
import { jobLimits } from '../../../src/contract/bff/job.ts';
import { sendText } from '../../support/bff/import-file.ts';
import { rowsOf, untilJob } from '../../support/bff/jobs.ts';
import { createTestDesk } from '../../support/desk.ts';
import { anna, person } from '../../support/people.ts';

const old = '2020-01-01';
const json = (id: number) => JSON.stringify({ id, expiresAt: old });

test.each([
  [
    '.csv',
    ['', ',', 'id,expiresAt', '', `1,${old}`, ...Array<string>(9_000).fill(' ,'), `2,${old}`, '', '2,'],
  ],
  ['.jsonl', ['', '', '', '', json(1), ...Array<string>(9_000).fill(' '), json(2), '', '{"id":2}', '']],
])(
  'an imported file (%s) with blank rows keeps the places of its rows, by which people find them',
  async (name, lines) => {
    const desk = await createTestDesk({ people: [anna, person('bo')] });
    const manager = await desk.signIn('manager');
    const { id, summary } = await sendText(manager, lines.join('\n'), { name, size: 10_000 });
    await manager.bff.createImport({
      params: { id },
      body: { mode: 'update', columns: ['id', 'expiresAt'] },
    });
    // The headings of CSV have no number.
    const [first, second, third] = [5, 9006, 9008].map((place) => (name === '.csv' ? place - 1 : place));
    expect(await untilJob(manager, id, 'ready')).toMatchObject({ total: 3, counts: { change: 2 } });
    expect(summary.numbers).toEqual([first, second, third]);
    expect(await rowsOf(manager, id)).toMatchObject([
      { number: first, result: 'change' },
      { number: second, result: 'change' },
      { number: third, detail: 'This subscriber is in row 9006, too. Remove one of them.' },
    ]);
    const body = { leaveOut: true, rows: { warning: 'expired' } } as const;
    const { data: remaining } = await manager.bff.leaveOutRows({ params: { id }, body });
    expect(remaining).toMatchObject({ counts: { change: 0, 'left-out': 2 } });
  },
);

test('a row below more blank rows than a file may have others can be left out by its number', async () => {
  const desk = await createTestDesk({ people: [anna] });
  const manager = await desk.signIn('manager');
  const text = `id,expiresAt\n${'\n'.repeat(jobLimits.subscribers)}1,${old}`;
  const { id } = await sendText(manager, text);
  await manager.bff.createImport({ params: { id }, body: { mode: 'update', columns: ['id', 'expiresAt'] } });
  await untilJob(manager, id, 'ready');
  const number = jobLimits.subscribers + 1;
  expect(await rowsOf(manager, id)).toMatchObject([{ number, result: 'change' }]);
  const body = { leaveOut: true, rows: { numbers: [number] } };
  const { data: remaining } = await manager.bff.leaveOutRows({ params: { id }, body });
  expect(remaining).toMatchObject({ counts: { change: 0, 'left-out': 1 } });
});

test.each([
  ['.csv', `id,expiresAt\n1,${old}\n2,${old}\n3,${old}\n4,${old}\n`],
  ['.jsonl', [1, 2, 3, 4].map(json).join('\n')],
])(
  'the parts of a file (%s) are numbered by their first rows, by which a server of the version before looks for them',
  async (name, text) => {
    const desk = await createTestDesk({ people: [] });
    const { id } = await sendText(await desk.signIn('manager'), text, { name, size: 50 });
    const parts = desk.db.selectFrom('import_parts').select(['first', 'rows']).where('import_id', '=', id);
    const found = await parts.orderBy('first').execute();
    expect(found.length).toBeGreaterThan(1);
    let next = 1;
    for (const { first, rows } of found) {
      expect(first).toBe(next);
      next += (JSON.parse(rows) as unknown[]).length;
    }
  },
);
