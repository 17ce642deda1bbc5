import { expect, test } from 'vitest';
import { createTestDesk } from '../../support/desk.ts';
import { importText } from '../../support/bff/import-file.ts';
import { rowsOf, untilJob } from '../../support/bff/jobs.ts';
import { anna, person } from '../../support/people.ts';

/** The rows of an import of usernames and notes, as the preview has them. */
async function preview(username: string, ...rows: string[]) {
  const people = [person('somebody', { username, email: anna.email })];
  const ann = (await createTestDesk({ people })).as('manager', 'Ann');
  const text = ['username,note', ...rows.map((name) => `${name},Called.`), ''].join('\n');
  const { id } = await importText(ann, text, { mode: 'upsert', columns: ['username', 'note'] });
  expect(await untilJob(ann, id, 'ready', 'stopped')).toMatchObject({ state: 'ready' });
  return rowsOf(ann, id);
}

test('a username of an import may have more words than a search takes, or none', async () => {
  const username = 'mr and mrs van der berg of no 5';
  expect(await preview(username, username, '´')).toMatchObject([
    { subscriberId: 1, username, result: 'change' },
    { username: '´', result: 'skipped', why: 'invalid-input' },
  ]);
});

test('a username of an import is found however its accents are written, as the service compares names', async () => {
  expect(await preview('josé', 'Jose\u0301', 'JOSÉ')).toMatchObject([
    { subscriberId: 1, result: 'change', after: { note: 'Called.' } },
    { result: 'skipped', detail: expect.stringContaining('row 2, too') },
  ]);
});

test('an import by username heeds no ID of its file, which another service may have given', async () => {
  const people = [person('ann'), person('bo')];
  const manager = (await createTestDesk({ people })).as('manager', 'Mona');
  const text = 'id,username,note\n1,bo,Called.\n';
  const { id } = await importText(manager, text, { mode: 'upsert', columns: ['id', 'username', 'note'] });
  await untilJob(manager, id, 'ready');
  expect(await rowsOf(manager, id)).toMatchObject([{ subscriberId: 2, username: 'bo', result: 'change' }]);
});
