import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { outcomeOf } from '../../support/bff/browser.ts';
import { importText, sendText } from '../../support/bff/import-file.ts';
import { prepare } from '../../support/bff/jobs.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { crowd } from '../../support/people.ts';

let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  desk = await createTestDesk({ people: crowd(5), wait: () => delay(1) });
  manager = await desk.signIn('manager');
});

test('jobs of one person leave room for one of somebody else', async () => {
  await desk.hire('manager', 'second');
  const second = await desk.signIn('second');
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  desk.upstream.lookup = async ({ url }, next) => {
    if (!url.includes('/subscribers/5?')) await held.promise;
    return next();
  };
  const jobOf = (id: number) => ({
    kind: 'update' as const,
    change: { set: { maxConnections: 9 } },
    targets: { ids: [id] },
  });
  for (const id of [1, 2, 3, 4]) await manager.bff.createJob({ body: jobOf(id) });
  expect(await prepare(second, jobOf(5))).toMatchObject({ state: 'ready' });
});

const file = 'username,note\nsomebody,new\n';
const plan = () => ({ mode: 'upsert' as const, columns: ['username' as const, 'note' as const] });

test('a file whose names are looked for on page after page keeps no server from stopping', async () => {
  let pages = 0;
  onTestFinished(() => void (desk.upstream.operation = () => new Response(null, { status: 503 })));
  desk.upstream.operation = async ({ url }, next) => {
    if (!url.includes('Username=')) return next();
    pages += 1;
    await delay(1);
    return Response.json({ items: [], page: 1, pageSize: 200, totalCount: 1e12, totalPages: 5e9 });
  };
  await importText(manager, file, plan());
  await expect.poll(() => pages).toBeGreaterThan(3);
  await desk.stop();
  const read = pages;
  await delay(20);
  expect(pages).toBe(read);
});

test('a file becomes one job, also if its answer is lost and it is sent again', async () => {
  const { id } = await sendText(manager, file);
  const send = () => outcomeOf(manager.ask('POST', `/bff/imports/${id}/job`, plan()));
  expect([await send(), await send()]).toEqual(['202', '409 wrong-job-state']);
  expect(await desk.rows('jobs')).toMatchObject([{ id }]);
});
