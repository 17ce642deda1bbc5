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
    return Response.json({ ...(await desk.saved(id)), ...change }, { status: 200 });
  };
}

describe('a creation that is answered with another subscriber than was entered', () => {
  it('is of unknown outcome, so that nobody can undo it, where the email address is another', async () => {
    answerCreationsWith(1);
    expect(await create()).toBe('503 outcome-unknown');
    expect(await outcomes()).toEqual([['createSubscriber', 'unknown']]);
  });

  it('is so where the journal knows the subscriber, who is not as entered', async () => {
    const { data } = await ann.api.createSubscriber({ body: entered });
    answerCreationsWith(data.id, { note: 'Pays yearly.' });
    expect(await create()).toBe('503 outcome-unknown');
    expect(await outcomes()).toEqual([
      ['createSubscriber', 'done'],
      ['createSubscriber', 'unknown'],
    ]);
  });

  it('is done where the service writes the username in its own way, or answers no email address', async () => {
    desk.upstream.operation = async ({ method }, next) => {
      const answer = await next();
      if (method !== 'POST') return answer;
      return Response.json({ ...(await answer.json()), username: 'tenant.ann', email: null });
    };
    expect(await create()).toBe('200');
  });

  it.each(['here', 'elsewhere'])(
    'is done with the number of a subscriber who was deleted %s',
    async (where) => {
      const { data } = await ann.api.createSubscriber({ body: entered });
      await (where === 'here' ? ann.api : desk.service).deleteSubscriber({ params: { id: data.id } });
      desk.upstream.operation = async ({ method }, next) => {
        const answer = await next();
        return method === 'POST' ? Response.json({ ...(await answer.json()), id: data.id }) : answer;
      };
      expect(await create()).toBe('200');
    },
  );
});
