import { expect, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
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
  expect((await desk.service.getSubscriber({ params: { id: 2 }, query: {} })).data.maxConnections).toBe(1);
  expect(await outcomeOf(manager.ask('POST', `/bff/jobs/${id}/retry`))).toBe('409 wrong-job-state');
});
