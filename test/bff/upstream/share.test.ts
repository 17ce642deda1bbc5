import { beforeEach, describe, expect, it } from 'vitest';
import { wholeSubscriber } from '../../support/bff/canned.ts';
import { context, json, openCaller, outcomeOf } from '../../support/bff/caller.ts';

const yieldToOthers = () => new Promise((resolve) => setImmediate(resolve));

/** Whatever is asked for, this has the fields of its answer. */
const pageNumbered = (page: number) => ({
  ...wholeSubscriber,
  items: [],
  page,
  pageSize: 1,
  totalCount: 0,
  totalPages: 0,
});

/** A service that holds its answers back until a test releases them. */
function openHeld() {
  const held: PromiseWithResolvers<void>[] = [];
  const bff = openCaller(async (_, count) => {
    const turn = Promise.withResolvers<void>();
    held.push(turn);
    await turn.promise;
    return Response.json(pageNumbered(count), { headers: { ETag: '"v1"' } });
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
    await yieldToOthers();
    bff.letGo();
    const pages = await Promise.all(calls.map(async (call) => (await call).data.page));
    expect(new Set(pages)).toEqual(new Set([1]));
    expect(bff.sent).toHaveLength(1);
  });

  it('has a separate call for another role, for other parameters and for a search by token', async () => {
    const find = { params: { accessToken: wholeSubscriber.accessToken }, query: {} };
    const calls = [
      bff.list(1),
      bff.list(2),
      bff.list(1, { role: 'support' }),
      bff.caller.call('getSubscriber', { params: { id: 7 }, query: {} }, context),
      bff.caller.call('getSubscriber', { params: { id: 7 }, query: { include: ['bundles'] } }, context),
      bff.caller.call('getSubscriberByToken', find, context),
      bff.caller.call('getSubscriberByToken', find, context),
    ];
    await yieldToOthers();
    bff.letGo();
    await Promise.all(calls);
    expect(bff.sent).toHaveLength(calls.length);
  });

  it('ends when the last of its clients disconnects, not the first', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const first = bff.list(1, { signal: one.signal });
    const second = bff.list(1, { signal: other.signal });
    await yieldToOthers();
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'upstream-timeout' });
    expect(bff.sent[0]?.signal.aborted).toBe(false);
    other.abort();
    await expect(second).rejects.toMatchObject({ code: 'upstream-timeout' });
    expect(bff.sent.map(({ signal }) => signal.aborted)).toEqual([true]);
    // The next read does not join a call that was ended.
    const third = bff.list();
    await yieldToOthers();
    bff.letGo();
    expect((await third).data.page).toBe(2);
  });

  it('may fail though its client had gone before it began', async () => {
    const failing = openCaller(() => new Response('', { status: 500 }));
    const read = failing.list(1, { signal: AbortSignal.abort() });
    await expect(read).rejects.toMatchObject({ code: 'upstream-timeout' });
    // That nobody hears of it must be no error of the process.
    await expect.poll(() => failing.logs).toMatchObject([{ event: 'upstream-answered', status: 500 }]);
    await yieldToOthers();
  });

  it('does not count as a failure of the service when its client disconnects', async () => {
    for (let count = 0; count < 10; count += 1) {
      const client = new AbortController();
      const read = bff.list(count + 1, { signal: client.signal });
      await yieldToOthers();
      client.abort();
      await expect(read).rejects.toMatchObject({ code: 'upstream-timeout' });
    }
    expect(bff.logs).toEqual([]);
    const read = bff.list();
    await yieldToOthers();
    bff.letGo();
    expect(await outcomeOf(read)).toBe(200);
  });

  it('is not cached for later reads', async () => {
    const first = bff.list();
    await yieldToOthers();
    bff.letGo();
    await first;
    const second = bff.list();
    await yieldToOthers();
    bff.letGo();
    expect((await second).data.page).toBe(2);
  });

  it('does not share its answer with reads after a change if it began before', async () => {
    const before = bff.list(1, { role: 'manager' });
    const change = bff.caller.call(
      'deleteSubscriber',
      { params: { id: 7 } },
      { ...context, role: 'manager' },
    );
    await yieldToOthers();
    bff.letGo(bff.held.slice(1));
    await change;
    const after = bff.list(1, { role: 'manager' });
    await yieldToOthers();
    bff.letGo();
    await Promise.all([before, after]);
    expect(bff.sent).toHaveLength(3);
  });

  it('fails with the others, and the next read is sent again', async () => {
    let broken = true;
    const failing = openCaller(() => (broken ? new Response('', { status: 500 }) : json()));
    expect(await Promise.all([failing.list(), failing.list()].map(outcomeOf))).toEqual([500, 500]);
    broken = false;
    expect(await outcomeOf(failing.list())).toBe(200);
  });
});
