import { maskedToken } from '../../../src/contract/bff/access-token.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { abandonedAfter } from '../../../src/bff/journal/reconcile.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, outcomeOf } from '../../support/bff/browser.ts';
import { sendOn, upstreamBase, type Answer, type Seen } from '../../support/bff/upstream.ts';
import { entered } from '../../support/people.ts';

let setup: TestDesk;
let ann: ReturnType<TestDesk['as']>;
beforeEach(async () => {
  setup = await createTestDesk({ staff: {}, time: runningTime() });
  ann = setup.as('manager', 'Ann');
  await ann.api.createSubscriber({ body: { ...entered, username: 'first' } });
});

const isWrite = ({ method }: Seen) => method !== 'GET';
const breakOff = () => Promise.reject(new Error('socket hang up'));

/** Loses the answer to a write: after the service made the change, or before. */
const after =
  (answer: () => Promise<Response>): Answer =>
  async (request, go) => {
    const done = await go();
    return isWrite(request) ? answer() : done;
  };
const before =
  (answer: () => Promise<Response>): Answer =>
  async (request, go) =>
    isWrite(request) ? answer() : go();

const losses = [
  ['the connection breaks', breakOff, 503],
  ['a gateway answers 502', async () => new Response('', { status: 502 }), 502],
  ['the service answers 500', async () => new Response('', { status: 500 }), 502],
  ['a gateway times out', async () => new Response('', { status: 504 }), 504],
  [
    'the service answers HTML',
    async () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } }),
    502,
  ],
] as const;

const changes: readonly (readonly [string, string, string, object | undefined])[] = [
  ['createSubscriber', 'POST', '/api/subscribers', entered],
  ['updateSubscriber', 'PUT', '/api/subscribers/1', { note: 'Called.', bundles: [9] }],
  ['regenerateToken', 'POST', '/api/subscribers/1/regenerate-token', undefined],
  ['deleteSubscriber', 'DELETE', '/api/subscribers/1', undefined],
];
const cases = losses.flatMap(([how, answer, status]) =>
  changes.map(([operation, method, path, body]) => ({ how, answer, status, operation, method, path, body })),
);

/** The service may still make the change. */
const isLate = (how: string) => how === 'a gateway times out';

const newest = async () => (await ann.bff.listActivity({ query: { kind: 'change' } })).data.items[0];
const rows = async () =>
  (await setup.serviceDb()).selectFrom('subscribers').selectAll().orderBy('id').execute();

describe('a change whose answer is lost', () => {
  it.each(cases)('is answered as done if $how and $operation was made', async (one) => {
    const whole = (await ann.api.getSubscriber({ params: { id: 1 }, query: {} })).data;
    setup.upstream.operation = after(one.answer);
    const response = await ann.fetch(ask(one.method, one.path, { body: one.body }));
    expect(response.status).toBe(200);
    const reported = await response.json();
    const now = (await rows()).find(({ id }) => id === reported.id);
    const isDeleted = one.operation === 'deleteSubscriber';
    const token = isDeleted ? whole.accessToken : (now?.access_token ?? '');
    expect(reported.accessToken).toBe(one.operation === 'regenerateToken' ? token : maskedToken(token));
    expect(now === undefined).toBe(isDeleted);
    expect(response.headers.get('ETag')).toBe(isDeleted ? null : `"${now?.id}-${now?.version}"`);
    expect(await newest()).toMatchObject({
      operation: one.operation,
      outcome: 'done',
      subscriberId: reported.id,
    });
  });

  it.each(cases.filter(({ how }) => !isLate(how)))(
    'is answered as failed if $how and $operation was not made',
    async (one) => {
      const untouched = await rows();
      setup.upstream.operation = before(one.answer);
      const response = await ann.fetch(ask(one.method, one.path, { body: one.body }));
      const reported: { detail: string } = await response.clone().json();
      expect([response.status, reported.detail]).toEqual([
        one.status,
        expect.stringMatching(/^Nothing was changed\./),
      ]);
      const code = await codeIn(response);
      expect(await newest()).toMatchObject({ operation: one.operation, outcome: 'failed', code });
      expect(await rows()).toEqual(untouched);
    },
  );

  /** Answers to a regeneration that tell the old token, or none. */
  const oldTokens: Record<string, (whole: object, part: object) => Response> = {
    'the old token': (whole) => Response.json(whole),
    'the old token and no other field': (_, part) => Response.json(part),
    nothing: () => new Response(null, { status: 204 }),
  };
  const regenerate = async (how: string, spoil: typeof after) => {
    const data = await setup.saved();
    const { id, accessToken } = data;
    setup.upstream.operation = spoil(async () => oldTokens[how]?.(data, { id, accessToken }) ?? breakOff());
    return { accessToken, response: await ann.fetch(ask('POST', '/api/subscribers/1/regenerate-token')) };
  };

  it.each(Object.keys(oldTokens).filter((how) => how !== 'nothing'))(
    'is answered as failed if a regeneration is answered with %s',
    async (how) => {
      const untouched = await rows();
      const { response } = await regenerate(how, before);
      expect(await outcomeOf(Promise.resolve(response))).toBe('502 bad-upstream');
      expect(await newest()).toMatchObject({ operation: 'regenerateToken', outcome: 'failed' });
      expect(await rows()).toEqual(untouched);
    },
  );

  it.each(Object.keys(oldTokens))(
    'is answered with the new token if a regeneration is answered with %s',
    async (how) => {
      const { response, accessToken } = await regenerate(how, after);
      const [row] = await rows();
      expect(row?.access_token).not.toBe(accessToken);
      expect(await response.json()).toMatchObject({ accessToken: row?.access_token });
      expect(await newest()).toMatchObject({ operation: 'regenerateToken', outcome: 'done' });
    },
  );

  it.each([false, true])(
    'is told by a read if an update is answered with the record of before (made: %s)',
    async (isMade) => {
      const data = await setup.saved();
      setup.upstream.operation = (isMade ? after : before)(async () => Response.json(data));
      const response = ann.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'Called.' } }));
      expect(await outcomeOf(response)).toBe(isMade ? '200' : '502 bad-upstream');
      expect(await newest()).toMatchObject({
        outcome: isMade ? 'done' : 'failed',
        after: { note: 'Called.' },
      });
    },
  );

  it.each(cases)(
    'has an unknown outcome if $how during $operation and the service cannot be read either',
    async (one) => {
      const headers = { [changeHeaders.key]: 'one-key-for-this-change' };
      let written = false;
      const answer: Answer = async (request, go) => {
        if (isWrite(request)) {
          written = true;
          await go();
          return one.answer();
        }
        return written ? breakOff() : go();
      };
      Object.assign(setup.upstream, { operation: answer, lookup: answer });
      const impatient = setup.as('manager', 'Ann', { wait: async (ms) => void (setup.time.now += ms) });
      const send = () => impatient.fetch(ask(one.method, one.path, { body: one.body, headers }));
      expect(await outcomeOf(send())).toBe('503 outcome-unknown');
      expect(await newest()).toMatchObject({ operation: one.operation, outcome: 'unknown' });

      Object.assign(setup.upstream, { operation: sendOn, lookup: sendOn });
      setup.time.now += abandonedAfter;
      const again = await send();
      expect([again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, 'true']);
      expect((await send()).status).toBe(200);
      expect(await newest()).toMatchObject({ operation: one.operation, outcome: 'done' });
      expect(setup.upstream.calls.filter(isWrite)).toHaveLength(2);
    },
  );

  it.each(cases.filter(({ how }) => isLate(how)))(
    'has an unknown outcome if $how and $operation is made after that, until it is read again',
    async (one) => {
      const late = Promise.withResolvers<() => Promise<Response>>();
      setup.upstream.operation = async (request, go) => {
        if (!isWrite(request)) return go();
        late.resolve(go);
        return one.answer();
      };
      const headers = { [changeHeaders.key]: 'one-key-for-this-change' };
      const send = () => ann.fetch(ask(one.method, one.path, { body: one.body, headers }));
      expect(await outcomeOf(send())).toBe('503 outcome-unknown');
      await (
        await late.promise
      )();
      setup.time.now += abandonedAfter + 1000;
      await ann.runMaintenance();
      expect(await newest()).toMatchObject({ operation: one.operation, outcome: 'done' });
      const again = await send();
      expect([again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, 'true']);
      expect(setup.upstream.calls.filter(isWrite)).toHaveLength(2);
    },
  );

  it.each(cases.filter(({ how }) => !isLate(how)))(
    'is answered as done if $how while the service is still at work, and $operation is made a moment later',
    async (one) => {
      let make = async () => {};
      setup.upstream.operation = async (request, go) => {
        if (!isWrite(request)) return go();
        make = async () => void (await go());
        return one.answer();
      };
      const wait = async (ms: number) => {
        setup.time.now += ms;
        await make();
        make = async () => {};
      };
      const patient = setup.as('manager', 'Ann', { wait });
      expect((await patient.fetch(ask(one.method, one.path, { body: one.body }))).status).toBe(200);
      expect(await newest()).toMatchObject({ operation: one.operation, outcome: 'done' });
    },
  );

  it('has failed if the service took too long and has not made it until it is read again', async () => {
    setup.upstream.operation = before(async () => new Response('', { status: 504 }));
    const send = () => ann.fetch(ask('POST', '/api/subscribers', { body: entered }));
    expect(await outcomeOf(send())).toBe('503 outcome-unknown');
    setup.upstream.operation = sendOn;
    setup.time.now += abandonedAfter + 1000;
    await ann.runMaintenance();
    expect(await newest()).toMatchObject({ outcome: 'failed' });
    expect((await send()).status).toBe(200);
  });

  it.each([
    ['in a page', '<h1>Not found</h1>', 'text/html'],
    ['in JSON', '{"message":"no Route matched with those values"}', 'application/json'],
  ])(
    'is not called made for a deletion after which a gateway says %s that it finds no service',
    async (_, text, type) => {
      const away = () => new Response(text, { status: 404, headers: { 'Content-Type': type } });
      setup.upstream.operation = (request) => {
        setup.upstream.lookup = away;
        return isWrite(request) ? breakOff() : away();
      };
      expect(await outcomeOf(ann.fetch(ask('DELETE', '/api/subscribers/1')))).toBe('503 outcome-unknown');
      Object.assign(setup.upstream, { lookup: sendOn, operation: sendOn });
      setup.time.now += abandonedAfter + 1000;
      await ann.runMaintenance();
      expect(await newest()).toMatchObject({ operation: 'deleteSubscriber', outcome: 'failed' });
    },
  );

  it('has an unknown outcome if the record is neither as before nor as intended', async () => {
    setup.upstream.operation = async (request, go) => {
      if (!isWrite(request)) return go();
      await (await setup.serviceDb()).updateTable('subscribers').set({ note: 'By another way.' }).execute();
      return breakOff();
    };
    const response = await ann.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'Called.' } }));
    expect(await outcomeOf(response)).toBe('503 outcome-unknown');
    setup.upstream.operation = sendOn;
    expect(await newest()).toMatchObject({ outcome: 'unknown' });
    // The entry is closed, so the next change does not wait.
    await ann.api.updateSubscriber({ params: { id: 1 }, body: { note: 'Again.' } });
  });

  it.each([
    ['in lower case, the email', { email: 'ANN@example.com' }, { email: 'ann@example.com' }],
    ['in another form, the email', { email: 'a.nn+tv@example.com' }, { email: 'ann@example.com' }],
    ['in lower case, the username', { username: 'Ann' }, { username: 'ann' }],
    ['without the blanks around it, the note', { note: ' Called. ' }, { note: 'Called.' }],
    ['with another note', { note: 'Called.' }, { note: 'Another.' }],
  ])('has an unknown outcome if the service keeps the new subscriber %s', async (_, written, stored) => {
    setup.upstream.operation = async (request, go) => {
      if (!isWrite(request)) return go();
      await setup.service.createSubscriber({ body: { ...entered, ...written, ...stored } });
      return breakOff();
    };
    const headers = { [changeHeaders.key]: 'one-key-for-this-change' };
    const body = { ...entered, ...written };
    const send = () => ann.fetch(ask('POST', '/api/subscribers', { body, headers }));
    expect(await outcomeOf(send())).toBe('503 outcome-unknown');
    expect(await newest()).toMatchObject({ outcome: 'unknown', subscriberId: null });
    // The key is not free for a second one.
    expect(await outcomeOf(send())).toBe('503 outcome-unknown');
    expect(await rows()).toHaveLength(2);
  });

  it('is not called failed if the new subscriber has another name and email by a later change', async () => {
    setup.upstream.operation = async (request, go) => {
      if (!isWrite(request)) return request.url.includes('/subscribers?') ? breakOff() : go();
      await go();
      return breakOff();
    };
    const headers = { [changeHeaders.key]: 'one-key-for-this-change' };
    const send = () => ann.fetch(ask('POST', '/api/subscribers', { body: entered, headers }));
    expect(await outcomeOf(send())).toBe('503 outcome-unknown');
    setup.upstream.operation = sendOn;
    const renamed = { username: 'renamed', email: 'renamed@example.com' };
    await setup.as('manager', 'Bob').api.updateSubscriber({ params: { id: 2 }, body: renamed });
    setup.time.now += abandonedAfter + 1000;
    await ann.runMaintenance();
    const { items } = (await ann.bff.listActivity({ query: { kind: 'change' } })).data;
    expect(
      items.find(
        ({ operation, username }) => operation === 'createSubscriber' && username === entered.username,
      ),
    ).toMatchObject({ outcome: 'unknown' });
    expect(await outcomeOf(send())).toBe('503 outcome-unknown');
    expect(await rows()).toHaveLength(2);
  });

  it('is not taken for the creation of an older subscriber with the same username', async () => {
    const { username: _, ...rest } = entered;
    setup.upstream.operation = before(breakOff);
    const body = { ...rest, username: 'first' };
    const response = await ann.fetch(ask('POST', '/api/subscribers', { body }));
    expect(response.status).toBe(503);
    expect(await newest()).toMatchObject({ outcome: 'failed', subscriberId: null });
  });
});

describe('a change to a service that cannot be reached', () => {
  it('leaves no entry open', async () => {
    setup.upstream.operation = before(() =>
      Promise.reject(Object.assign(new Error('no'), { cause: { code: 'ECONNREFUSED' } })),
    );
    const { calls } = setup.upstream;
    calls.length = 0;
    const response = await ann.fetch(ask('POST', '/api/subscribers', { body: entered }));
    expect(await outcomeOf(response)).toBe('503 upstream-unreachable');
    expect(calls).toMatchObject([{ method: 'POST', url: `${upstreamBase}/subscribers` }]);
    expect(await newest()).toMatchObject({ outcome: 'failed' });
  });
});

/** Ends the process of a change: just before the change is sent, or just before its answer arrives. */
async function crash(change: (typeof changes)[number], isDone: boolean): Promise<void> {
  const [, method, path, body] = change;
  const deleted = Promise.withResolvers<void>();
  const never = new Promise<Response>(() => undefined);
  setup.upstream.operation = async (request, go) => {
    if (!isWrite(request)) return go();
    if (isDone) await go();
    deleted.resolve();
    return never;
  };
  const dying = setup.as('manager', 'Ann');
  const headers = { [changeHeaders.key]: 'one-key-for-this-change' };
  void dying.fetch(ask(method, path, { body, headers }));
  await deleted.promise;
  setup.upstream.operation = sendOn;
}

describe.each(changes)('a server that dies during %s', (...change) => {
  const [operation, method, path, body] = change;
  const again = () =>
    ann.fetch(ask(method, path, { body, headers: { [changeHeaders.key]: 'one-key-for-this-change' } }));

  it.each([true, false])(
    'leaves an entry that the maintenance of another server reconciles (made: %s)',
    async (isDone) => {
      await crash(change, isDone);
      const restarted = setup.as('manager', 'Ann');
      await restarted.runMaintenance();
      // Also by a server whose clock is a minute behind.
      setup.time.now -= 60_000;
      await restarted.runMaintenance();
      setup.time.now += 60_000;
      expect(await newest()).toMatchObject({ operation, outcome: 'unknown' });
      setup.time.now += abandonedAfter + 1000;
      await restarted.runMaintenance();
      expect(await newest()).toMatchObject({ operation, outcome: isDone ? 'done' : 'failed' });
    },
  );

  it.each([true, false])(
    'leaves a key with which the change is made only once (made before: %s)',
    async (isDone) => {
      await crash(change, isDone);
      setup.time.now += abandonedAfter + 1000;
      const answer = await again();
      expect([answer.status, answer.headers.get(changeHeaders.replayed)]).toEqual([
        200,
        isDone ? 'true' : null,
      ]);
      expect(await (await again()).text()).toBe(await answer.text());
      expect(await newest()).toMatchObject({ operation, outcome: 'done' });
    },
  );

  it('leaves a lock that does not block the next change', async () => {
    await crash(change, false);
    setup.time.now += abandonedAfter + 1000;
    const next = await ann.fetch(ask(method, path, { body }));
    expect(next.status).toBe(200);
  });
});
