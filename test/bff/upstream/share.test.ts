import { beforeEach, describe, expect, it, test } from 'vitest';
import { context, json, openCaller } from '../../support/bff/caller.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask } from '../../support/bff/browser.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A service that holds its answers back until a test releases them. */
function openHeld() {
  const held: PromiseWithResolvers<void>[] = [];
  const bff = openCaller(async (_, count) => {
    const turn = Promise.withResolvers<void>();
    held.push(turn);
    await turn.promise;
    return json({ count });
  });
  const letGo = (turns = held) => {
    for (const turn of turns) turn.resolve();
  };
  return { ...bff, held, letGo };
}

describe('a read at the same time as others', () => {
  let bff: ReturnType<typeof openHeld>;
  beforeEach(() => {
    bff = openHeld();
  });

  it('shares one call with those that are the same with the same role', async () => {
    const calls = Array.from({ length: 100 }, () => bff.list());
    await nextTurn();
    bff.letGo();
    const texts = await Promise.all(calls.map(async (call) => new TextDecoder().decode((await call).bytes)));
    expect(new Set(texts)).toEqual(new Set(['{"count":1}']));
    expect(bff.sent).toHaveLength(1);
  });

  it('has a separate call for another role, for other parameters and for a search by token', async () => {
    const find = { params: { accessToken: 'x' }, query: {} };
    const calls = [
      bff.list(1),
      bff.list(2),
      bff.list(1, { role: 'support' }),
      bff.caller.call('listStatuses', {}, context),
      bff.caller.call('getSubscriber', { params: { id: 1 }, query: {} }, context),
      bff.caller.call('getSubscriber', { params: { id: 1 }, query: { include: ['bundles'] } }, context),
      bff.caller.call('getSubscriberByToken', find, context),
      bff.caller.call('getSubscriberByToken', find, context),
    ];
    await nextTurn();
    bff.letGo();
    await Promise.all(calls);
    expect(bff.sent).toHaveLength(calls.length);
  });

  it('gets its own copy of the answer, which the others cannot change', async () => {
    const calls = [bff.list(), bff.list()];
    await nextTurn();
    bff.letGo();
    const [first, second] = await Promise.all(calls);
    first?.bytes.fill(0);
    expect(new TextDecoder().decode(second?.bytes)).toBe('{"count":1}');
  });

  it('ends when the last of its clients disconnects, not the first', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const first = bff.list(1, { signal: one.signal });
    const second = bff.list(1, { signal: other.signal });
    await nextTurn();
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'upstream-timeout' });
    expect(bff.sent[0]?.signal.aborted).toBe(false);
    other.abort();
    await expect(second).rejects.toMatchObject({ code: 'upstream-timeout' });
    expect(bff.sent.map(({ signal }) => signal.aborted)).toEqual([true]);
    // The next read does not join a call that was ended.
    const third = bff.list();
    await nextTurn();
    bff.letGo();
    expect(new TextDecoder().decode((await third).bytes)).toBe('{"count":2}');
  });

  it('does not count as a failure of the service when its client disconnects', async () => {
    for (let count = 0; count < 10; count += 1) {
      const client = new AbortController();
      const read = bff.list(count + 1, { signal: client.signal });
      await nextTurn();
      client.abort();
      await expect(read).rejects.toMatchObject({ code: 'upstream-timeout' });
    }
    expect(bff.logs).toEqual([]);
    const read = bff.list();
    await nextTurn();
    bff.letGo();
    expect((await read).status).toBe(200);
  });

  it('is not cached for later reads', async () => {
    const first = bff.list();
    await nextTurn();
    bff.letGo();
    await first;
    const second = bff.list();
    await nextTurn();
    bff.letGo();
    expect(new TextDecoder().decode((await second).bytes)).toBe('{"count":2}');
  });

  it('does not share its answer with reads after a change if it began before', async () => {
    const before = bff.list(1, { role: 'manager' });
    const change = bff.caller.call(
      'deleteSubscriber',
      { params: { id: 7 } },
      { ...context, role: 'manager' },
    );
    await nextTurn();
    bff.letGo(bff.held.slice(1));
    await change;
    const after = bff.list(1, { role: 'manager' });
    await nextTurn();
    bff.letGo();
    await Promise.all([before, after]);
    expect(bff.sent).toHaveLength(3);
  });

  it('fails with the others, and the next read is sent again', async () => {
    let broken = true;
    const failing = openCaller(() => (broken ? new Response('', { status: 500 }) : json()));
    const outcomes = await Promise.all([failing.list(), failing.list()]);
    expect(outcomes.map(({ status }) => status)).toEqual([500, 500]);
    broken = false;
    expect((await failing.list()).status).toBe(200);
  });
});

test('a client that disconnects does not cancel the answers of other clients', async () => {
  const bff = await createTestDesk({
    service: 'canned',
    transport: { kind: 'tab', staff: { name: 'Ann', role: 'manager' } },
  });
  const turn = Promise.withResolvers<void>();
  bff.upstream.operation = async () => {
    await turn.promise;
    return json({});
  };
  const aborted = new AbortController();
  const request = ask('GET', '/api/subscribers');
  const first = bff.fetch(new Request(request, { signal: aborted.signal })).catch(() => null);
  const second = bff.fetch(ask('GET', '/api/subscribers'));
  await nextTurn();
  aborted.abort();
  turn.resolve();
  expect((await second).status).toBe(200);
  await first;
  expect(bff.upstream.calls).toHaveLength(1);
});
