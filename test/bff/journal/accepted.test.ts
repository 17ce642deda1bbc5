import { describe, expect, it, test } from 'vitest';
import { abandonedAfter } from '../../../src/bff/journal/reconcile.ts';
import { Subscriber } from '../../../src/contract/service/subscriber.ts';
import { createTestDesk, runningTime } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { sendOn, type Answer, type Seen } from '../../support/bff/upstream.ts';
import { entered, person } from '../../support/people.ts';

const changes: [operation: string, method: string, path: string, body?: object][] = [
  ['createSubscriber', 'POST', '/api/subscribers', entered],
  ['updateSubscriber', 'PUT', '/api/subscribers/1', { note: 'Called.', bundles: [9] }],
  ['regenerateToken', 'POST', '/api/subscribers/1/regenerate-token'],
  ['deleteSubscriber', 'DELETE', '/api/subscribers/1'],
];

test.each(changes)(
  'a change that the service accepts with a 202 and makes later is not called failed: %s',
  async (operation, method, path, body) => {
    const desk = await createTestDesk({ staff: {}, time: runningTime(), people: [person('first')] });
    const ann = desk.as('manager', 'Ann');
    let make = async () => new Response();
    desk.upstream.operation = async (request, go) => {
      if (request.method === 'GET') return go();
      make = go;
      return new Response(null, { status: 202 });
    };
    expect(await outcomeOf(ann.fetch(ask(method, path, { body })))).toBe('503 outcome-unknown');
    desk.upstream.operation = sendOn;
    await make();
    desk.time.now += abandonedAfter + 1000;
    await ann.runMaintenance();
    expect(await desk.rows('journal')).toMatchObject([{ operation, outcome: 'done' }]);
  },
);

describe('a change after which the service is read on a server that does not know of it yet', () => {
  /** A service that answers a change in its own way, and reads as before it until a test lets the change be seen. */
  async function openLagging(answer: (whole: object) => Response) {
    const desk = await createTestDesk({ staff: {}, time: runningTime(), people: [person('first')] });
    const ann = desk.as('manager', 'Ann');
    const before = await desk.saved();
    const isBefore = ({ url }: Seen) => url.includes('/subscribers/1');
    const lag: Answer = async (seen) =>
      isBefore(seen) ? Response.json(before) : Response.json({}, { status: 404 });
    desk.upstream.operation = async (seen, go) => {
      if (seen.method === 'GET') return go();
      desk.upstream.lookup = lag;
      desk.upstream.operation = async (later, next) =>
        later.url.includes('?') ? Response.json(emptyPage) : isBefore(later) ? Response.json(before) : next();
      return answer(await (await go()).json());
    };
    const catchUp = () => Object.assign(desk.upstream, { operation: sendOn, lookup: sendOn });
    return { ...desk, ann, catchUp };
  }
  const emptyPage = { items: [], page: 1, pageSize: 200, totalCount: 0, totalPages: 0 };

  it.each(changes.slice(0, 2))(
    'is done by the fields that it was answered with, and the lists that were sent: %s',
    async (operation, method, path, body) => {
      const { ann, rows } = await openLagging((whole) => Response.json(Subscriber.parse(whole)));
      const response = await ann.fetch(ask(method, path, { body: { ...body, bundles: [9] } }));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ ...body, bundles: [9] });
      expect(await rows('journal')).toMatchObject([{ operation, outcome: 'done' }]);
    },
  );

  it.each(changes.slice(0, 3))(
    'is not called failed where it was answered with nothing: %s',
    async (operation, method, path, body) => {
      const { ann, rows, catchUp, time } = await openLagging(() => new Response(null, { status: 204 }));
      expect(await outcomeOf(ann.fetch(ask(method, path, { body })))).toBe('503 outcome-unknown');
      catchUp();
      time.now += abandonedAfter + 1000;
      await ann.runMaintenance();
      expect(await rows('journal')).toMatchObject([{ operation, outcome: 'done' }]);
    },
  );
});
