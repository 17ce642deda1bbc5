import { expect, test } from 'vitest';
import { abandonedAfter } from '../../../src/bff/journal/reconcile.ts';
import { createTestDesk, runningTime } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { sendOn } from '../../support/bff/upstream.ts';
import { entered, person } from '../../support/people.ts';

test.each([
  ['createSubscriber', 'POST', '/api/subscribers', entered],
  ['updateSubscriber', 'PUT', '/api/subscribers/1', { note: 'Called.', bundles: [9] }],
  ['regenerateToken', 'POST', '/api/subscribers/1/regenerate-token', undefined],
  ['deleteSubscriber', 'DELETE', '/api/subscribers/1', undefined],
])(
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
