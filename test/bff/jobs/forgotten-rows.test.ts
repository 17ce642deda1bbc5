import { expect, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { importText, sendText } from '../../support/bff/import-file.ts';
import { createTestDesk, journalKey } from '../../support/desk.ts';
import { crowd } from '../../support/people.ts';

test('a row that failed is not tried again once its subscriber was forgotten, which would change nothing and say it was done', async () => {
  const desk = await createTestDesk({ people: crowd(3) });
  const manager = await desk.signIn('manager');
  const { id } = await prepare(manager, {
    kind: 'update',
    targets: { ids: [1, 2, 3] },
    change: { set: { maxConnections: 7 } },
  });
  desk.upstream.operation = ({ method, url }, next) =>
    method === 'PUT' && !url.endsWith('/1') ? new Response(null, { status: 403 }) : next();
  expect(await runToEnd(manager, id)).toMatchObject({ counts: { done: 1, failed: 2 } });
  desk.upstream.operation = (_, next) => next();
  expect(await forgetSubscriber(desk.db, createMac(journalKey), 2)).toMatchObject({ rows: 1, open: 0 });
  const changes = () => desk.upstream.calls.filter(({ method }) => method === 'PUT').length;
  const before = changes();

  await manager.bff.retryJob({ params: { id } });
  expect(await untilJob(manager, id, 'done')).toMatchObject({ counts: { done: 2, failed: 1 } });
  expect(await rowsOf(manager, id, 'failed')).toMatchObject([{ subscriberId: 2, username: '' }]);
  expect(changes() - before).toBe(1);
  expect((await desk.saved(2)).maxConnections).toBe(1);
  expect(await outcomeOf(manager.ask('POST', `/bff/jobs/${id}/retry`))).toBe('409 wrong-job-state');
});

test('a subscriber is forgotten whom a file names by the ID alone: in rows with errors, and in files that wait', async () => {
  const desk = await createTestDesk({ people: crowd(3) });
  const manager = await desk.signIn('manager');
  const file = 'ID,Note,Connections\n1,Of the first one.,2\n2,Canary street 7.,many\n';
  const columns = ['id', 'note', 'maxConnections'] as const;
  const { id } = await importText(manager, file, { mode: 'update', columns: [...columns] });
  await untilJob(manager, id, 'ready');
  await sendText(manager, file);
  await sendText(manager, '{"id":2,"note":"Canary street 7."}\n');
  await sendText(manager, 'ID,Note\n1,Of the first one.\n');

  expect(await forgetSubscriber(desk.db, createMac(journalKey), 2)).toMatchObject({
    rows: 1,
    files: 3,
    open: 0,
  });
  const stored = [await desk.rows('job_rows'), await desk.rows('imports'), await desk.rows('import_parts')];
  expect(JSON.stringify(stored)).not.toContain('Canary');
  expect(await desk.rows('imports')).toHaveLength(1);
  expect(await rowsOf(manager, id)).toMatchObject([
    { subscriberId: 1, result: 'change', after: { note: 'Of the first one.' } },
    { subscriberId: 2, result: 'skipped', source: null },
  ]);
});

test('a subscriber is looked for in a thousand rows at a time, since PostgreSQL ends a transaction that is silent for long', async () => {
  const desk = await createTestDesk({ people: crowd(1) });
  const manager = await desk.signIn('manager');
  await prepare(manager, { kind: 'delete', targets: { ids: [1] } });
  const row = await desk.db.selectFrom('job_rows').selectAll().executeTakeFirstOrThrow();
  for (let number = 2; number <= 2500; number += 1)
    await desk.db
      .insertInto('job_rows')
      .values({ ...row, number, subscriber_id: 0, username: `person-${number}` })
      .execute();
  let most = 0;
  const watched = desk.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      most = Math.max(most, result.rows.length);
      return result;
    },
  });
  const forgotten = await forgetSubscriber(watched, createMac(journalKey), 9000, ['person-2500']);
  expect([forgotten, most]).toMatchObject([{ rows: 1, open: 0 }, 1000]);
});
