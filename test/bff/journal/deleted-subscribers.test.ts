import { beforeEach, describe, expect, it, test } from 'vitest';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { anna } from '../../support/people.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await createTestDesk({ people: [anna] });
  const manager = await desk.signIn('manager');
  await manager.api.updateSubscriber({ params: { id: 1 }, body: { note: 'canary-note' } });
});

const ask = async (role: Role, path: string, method = 'GET') => (await desk.signIn(role)).ask(method, path);
const deleteAnna = async () =>
  (await desk.signIn('manager')).api.deleteSubscriber({ params: { id: 1 } }).catch(() => null);
const paths = [
  '/bff/activity?subscriberId=1',
  '/bff/activity?subscriberId=1&operation=deleteSubscriber',
  '/bff/activity?subscriberId=1&kind=change&page=2&pageSize=1',
];

describe('the activity of one subscriber', () => {
  it.each(['viewer', 'support', 'manager'] as const)('is shown to a %s while there is one', async (role) => {
    const answer = await ask(role, paths[0] ?? '');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('canary-note')]);
  });

  it.each(paths)('is shown to viewers no longer once the subscriber was deleted: %s', async (path) => {
    await deleteAnna();
    expect(await outcomeOf(ask('viewer', path))).toBe('404 no-such-subscriber');
  });

  it('is shown to viewers no longer if the subscriber was deleted past the BFF', async () => {
    await desk.service.deleteSubscriber({ params: { id: 1 } });
    expect((await ask('viewer', paths[0] ?? '')).status).toBe(404);
  });

  it('cannot be exported by viewers once the subscriber was deleted', async () => {
    await deleteAnna();
    expect((await ask('viewer', '/bff/activity/export?subscriberId=1')).status).toBe(404);
    expect(await desk.db.selectFrom('journal').selectAll().where('kind', '=', 'data').execute()).toEqual([]);
  });

  it.each(['support', 'manager'] as const)('is shown with the last record to a %s', async (role) => {
    await deleteAnna();
    const answer = await ask(role, paths[1] ?? '');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(anna.email)]);
  });

  it('shows viewers no record of a deletion that was not done', async () => {
    desk.upstream.operation = ({ method }, go) =>
      method === 'DELETE' ? new Response(null, { status: 403 }) : go();
    await deleteAnna();
    const answer = await ask('viewer', paths[1] ?? '');
    const { items } = await answer.json();
    expect(items).toEqual([expect.objectContaining({ outcome: 'failed', before: null })]);
    const [whole] = (await (await ask('support', paths[1] ?? '')).json()).items;
    expect(whole.before).toMatchObject({ email: anna.email });
  });

  it.each([
    ['a service that fails', () => new Response(null, { status: 500 }), 502],
    ['a service that is slow', () => new Response(null, { status: 429 }), 503],
  ])('is not shown to viewers without asking: %s', async (_, answer, status) => {
    await deleteAnna();
    desk.upstream.operation = answer;
    const reported = await ask('viewer', paths[0] ?? '');
    expect([reported.status, (await reported.text()).includes('canary')]).toEqual([status, false]);
  });

  it.each(['0', '-1', 'x', '1e3', '9007199254740993', '1&subscriberId=1'])(
    'is refused to viewers for what is no id: %s',
    async (id) => {
      expect((await ask('viewer', `/bff/activity?subscriberId=${id}`)).status).toBe(422);
    },
  );
});

test('a viewer who was a manager sees that they deleted a subscriber, and not its record', async () => {
  await desk.hire('manager', 'second');
  const { id = '' } =
    (await desk.db.selectFrom('staff').select('id').where('name', '=', 'manager').executeTakeFirst()) ?? {};
  await deleteAnna();
  const second = await desk.signIn('second');
  expect((await second.ask('PUT', `/bff/staff/${id}`, { role: 'viewer' })).status).toBe(200);
  const answer = await (await desk.signIn('manager')).ask('GET', '/bff/activity?operation=deleteSubscriber');
  const text = await answer.text();
  expect(JSON.parse(text).items).toEqual([expect.objectContaining({ outcome: 'done', before: null })]);
  expect(text).not.toContain(anna.email);
});

test('a viewer who changed a subscriber before does not see what was changed once the subscriber was deleted', async () => {
  const { id = '' } =
    (await desk.db.selectFrom('staff').select('id').where('name', '=', 'manager').executeTakeFirst()) ?? {};
  await desk.hire('manager', 'second');
  const second = await desk.signIn('second');
  await second.api.deleteSubscriber({ params: { id: 1 } });
  expect((await second.ask('PUT', `/bff/staff/${id}`, { role: 'viewer' })).status).toBe(200);
  const first = await desk.signIn('manager');
  for (const path of ['/bff/activity?kind=change', '/bff/activity/export?kind=change']) {
    const text = await (await first.ask('GET', path)).text();
    expect([path, text.includes('updateSubscriber'), text.includes('canary-note')]).toEqual([
      path,
      true,
      false,
    ]);
  }
});
