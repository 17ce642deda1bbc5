import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask } from '../../support/bff/browser.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const own = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;

let bff: TestDesk;
let Cookie: string;

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  Cookie = (await bff.signIn('manager')).cookie();
  bff.logs.length = 0;
});

const read = (more: Record<string, string> = {}) =>
  bff.fetch(ask('GET', '/api/subscribers', { headers: { Cookie, ...more } }));
const sent = () => bff.upstream.calls.map(({ headers }) => headers['traceparent'] ?? '');

test('a trace that the caller began goes on upstream, with a step of its own for each request', async () => {
  await read({ traceparent: `00-${traceId}-${parent}-01` });
  await read({ traceparent: `00-${traceId}-${parent}-01` });
  const steps = sent().map((text) => new RegExp(`^00-${traceId}-([0-9a-f]{16})-01$`).exec(text)?.[1]);
  expect(steps).toEqual([expect.any(String), expect.any(String)]);
  expect(new Set([...steps, parent]).size).toBe(3);
});

test.each([
  ['00', '00'],
  ['01', '01'],
  ['02', '00'],
  ['ff', '01'],
])('of its flags %s the one that is known goes on: %s', async (flags, passed) => {
  await read({ traceparent: `00-${traceId}-${parent}-${flags}` });
  expect(sent()[0]).toMatch(new RegExp(`-${passed}$`));
});

test('without one a trace begins, another for each request', async () => {
  await read();
  await read();
  const ids = sent().map((text) => own.exec(text)?.[1]);
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain(undefined);
});

describe('one begins too where what came is none:', () => {
  test.each([
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `01-${traceId}-${parent}-01`,
    `ff-${traceId}-${parent}-01`,
    `00-${traceId.toUpperCase()}-${parent}-01`,
    `00-${traceId}-${parent}-01-more`,
    `00-${traceId}-${parent}`,
    `00-${traceId.slice(1)}-${parent}-01`,
    `00-${traceId}0-${parent}-01`,
    `00-${traceId}-${parent}-1`,
    `00-${traceId}-${parent}-01, 00-${traceId}-${parent}-01`,
    traceId,
    'canary',
    '',
  ])('"%s"', async (traceparent) => {
    await read({ traceparent, tracestate: 'vendor=canary' });
    const begun = own.exec(sent()[0] ?? '')?.[1];
    expect(begun).toMatch(/[1-9a-f]/);
    expect(traceparent.toLowerCase()).not.toContain(begun);
    expect(bff.upstream.calls[0]?.headers).not.toHaveProperty('tracestate');
    expect(JSON.stringify(bff.logs)).not.toMatch(new RegExp(`canary|${traceId}`, 'i'));
  });
});

test('a change and the readings around it are steps of one trace', async () => {
  const headers = { Cookie, traceparent: `00-${traceId}-${parent}-01` };
  await bff.fetch(ask('PUT', '/api/subscribers/7', { headers, body: { note: 'x' } }));
  const all = [...bff.upstream.lookups, ...bff.upstream.calls].map((call) => call.headers['traceparent']);
  expect(all.length).toBeGreaterThan(1);
  for (const text of all) expect(text).toContain(`00-${traceId}-`);
  expect(new Set(all).size).toBe(all.length);
});

test('the line in the log names the trace', async () => {
  await read({ traceparent: `00-${traceId}-${parent}-01` });
  await read();
  expect(bff.logs).toMatchObject([
    { event: 'request', traceId },
    { event: 'request', traceId: own.exec(sent()[1] ?? '')?.[1] },
  ]);
});
