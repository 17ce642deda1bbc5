import { beforeEach, describe, expect, test } from 'vitest';
import { context, json, openCaller } from '../../support/bff/caller.ts';
import { ask } from '../../support/bff/browser.ts';
import { openDesk } from '../../support/bff/desk.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A service that keeps its answers until a test lets them go. */
function openHeld() {
  const held: PromiseWithResolvers<void>[] = [];
  const desk = openCaller(async (_, count) => {
    const turn = Promise.withResolvers<void>();
    held.push(turn);
    await turn.promise;
    return json({ count });
  });
  const letGo = (turns = held) => {
    for (const turn of turns) turn.resolve();
  };
  return { ...desk, held, letGo };
}

describe('reads at the same time', () => {
  let desk: ReturnType<typeof openHeld>;
  beforeEach(() => {
    desk = openHeld();
  });

  test('that ask the same with the same role are one call', async () => {
    const calls = Array.from({ length: 100 }, () => desk.list());
    await settle();
    desk.letGo();
    const texts = await Promise.all(calls.map(async (call) => new TextDecoder().decode((await call).bytes)));
    expect(new Set(texts)).toEqual(new Set(['{"count":1}']));
    expect(desk.sent).toHaveLength(1);
  });

  test('with another role or other parameters, or by token, are calls of their own', async () => {
    const find = { params: { accessToken: 'x' }, query: {} };
    const calls = [
      desk.list(1),
      desk.list(2),
      desk.list(1, { role: 'support' }),
      desk.caller.call('listStatuses', {}, context),
      desk.caller.call('getSubscriber', { params: { id: 1 }, query: {} }, context),
      desk.caller.call('getSubscriber', { params: { id: 1 }, query: { include: ['bundles'] } }, context),
      desk.caller.call('getSubscriberByToken', find, context),
      desk.caller.call('getSubscriberByToken', find, context),
    ];
    await settle();
    desk.letGo();
    await Promise.all(calls);
    expect(desk.sent).toHaveLength(calls.length);
  });

  test('give each an answer that the others cannot change', async () => {
    const calls = [desk.list(), desk.list()];
    await settle();
    desk.letGo();
    const [first, second] = await Promise.all(calls);
    first?.bytes.fill(0);
    expect(new TextDecoder().decode(second?.bytes)).toBe('{"count":1}');
  });

  test('are not held back for later ones', async () => {
    const first = desk.list();
    await settle();
    desk.letGo();
    await first;
    const second = desk.list();
    await settle();
    desk.letGo();
    expect(new TextDecoder().decode((await second).bytes)).toBe('{"count":2}');
  });

  test('that began before a change was done are not joined after it', async () => {
    const before = desk.list(1, { role: 'manager' });
    const change = desk.caller.call(
      'deleteSubscriber',
      { params: { id: 7 } },
      { ...context, role: 'manager' },
    );
    await settle();
    desk.letGo(desk.held.slice(1));
    await change;
    const after = desk.list(1, { role: 'manager' });
    await settle();
    desk.letGo();
    await Promise.all([before, after]);
    expect(desk.sent).toHaveLength(3);
  });

  test('fail together, and the next one starts anew', async () => {
    let broken = true;
    const failing = openCaller(() => (broken ? new Response('', { status: 500 }) : json()));
    const outcomes = await Promise.all([failing.list(), failing.list()]);
    expect(outcomes.map(({ status }) => status)).toEqual([500, 500]);
    broken = false;
    expect((await failing.list()).status).toBe(200);
  });
});

test('somebody who goes away takes the answer from nobody', async () => {
  const desk = await openDesk({ transport: { kind: 'tab', staff: { name: 'Ann', role: 'manager' } } });
  const turn = Promise.withResolvers<void>();
  desk.upstream.operation = async () => {
    await turn.promise;
    return json({});
  };
  const leaving = new AbortController();
  const request = ask('GET', '/api/subscribers');
  const first = desk.fetch(new Request(request, { signal: leaving.signal })).catch(() => null);
  const second = desk.fetch(ask('GET', '/api/subscribers'));
  await settle();
  leaving.abort();
  turn.resolve();
  expect((await second).status).toBe(200);
  await first;
  expect(desk.upstream.calls).toHaveLength(1);
});
