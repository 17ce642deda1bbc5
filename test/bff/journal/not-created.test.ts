import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { entered, person } from '../../support/people.ts';

let desk: TestDesk;
let ann: ReturnType<TestDesk['as']>;
beforeEach(async () => {
  desk = await createTestDesk({ staff: {}, time: runningTime(), people: [person('bea')] });
  ann = desk.as('manager', 'Ann');
});

const create = () => outcomeOf(ann.fetch(ask('POST', '/api/subscribers', { body: entered })));
const outcomes = async () =>
  (await desk.rows('journal')).map(({ operation, outcome }) => [operation, outcome]);

/** The service answers a creation with a subscriber whom it has already. */
function answerCreationsWith(id: number, change: object = {}) {
  desk.upstream.operation = async ({ method, url }, next) => {
    if (method !== 'POST' || !url.endsWith('/subscribers')) return next();
    const include = ['bundles', 'ipAddresses', 'userAgents', 'countries'] as const;
    const { data } = await desk.service.getSubscriber({ params: { id }, query: { include: [...include] } });
    return Response.json({ ...data, ...change }, { status: 200 });
  };
}

describe('a creation that is answered with another subscriber than was entered', () => {
  it('has failed where the answer has another email address, and nobody has the username', async () => {
    answerCreationsWith(1);
    expect(await create()).toBe('502 bad-upstream');
    expect(await outcomes()).toEqual([['createSubscriber', 'failed']]);
  });

  it('has failed where the journal knows the subscriber', async () => {
    const { data } = await ann.api.createSubscriber({ body: entered });
    answerCreationsWith(data.id);
    expect(await create()).toBe('502 bad-upstream');
    expect(await outcomes()).toEqual([
      ['createSubscriber', 'done'],
      ['createSubscriber', 'failed'],
    ]);
  });

  it('is of unknown outcome, so that nobody can undo it, where somebody else has the username', async () => {
    const { data } = await desk.service.createSubscriber({
      body: { ...entered, email: 'other@example.com' },
    });
    answerCreationsWith(data.id);
    expect(await create()).toBe('503 outcome-unknown');
    expect(await outcomes()).toEqual([['createSubscriber', 'unknown']]);
  });

  it('is done where the service writes the username in its own way, or answers no email address', async () => {
    desk.upstream.operation = async ({ method }, next) => {
      const answer = await next();
      if (method !== 'POST') return answer;
      return Response.json({ ...(await answer.json()), username: 'tenant.ann', email: null });
    };
    expect(await create()).toBe('200');
  });

  it('is done where the service has given the number of a deleted subscriber again', async () => {
    const { data } = await ann.api.createSubscriber({ body: entered });
    await ann.api.deleteSubscriber({ params: { id: data.id } });
    desk.upstream.operation = async ({ method }, next) => {
      const answer = await next();
      return method === 'POST' ? Response.json({ ...(await answer.json()), id: data.id }) : answer;
    };
    expect(await create()).toBe('200');
  });
});
