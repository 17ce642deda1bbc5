import fc from 'fast-check';
import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { api, type OperationName } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { type Endpoint } from '../../../src/contract/http/endpoint.ts';
import { isPlainText } from '../../../src/contract/http/plain-text.ts';
import { sortOrders } from '../../../src/contract/service/list-rules.ts';
import { readInput } from '../../../src/contract/http/router.ts';
import { listNames } from '../../../src/contract/service/limits.ts';

const base = 'https://service.example';

/** Text that a parameter may have: any script, any character of a URL, never empty (which means absent). */
const plainText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .filter((text) => isPlainText(text) && text !== '.' && text !== '..');
const id = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constant(Number.MAX_SAFE_INTEGER));
const include = fc.record(
  { include: fc.uniqueArray(fc.constantFrom(...listNames), { minLength: 1 }) },
  { requiredKeys: [] },
);

const email = fc.stringMatching(/^[a-z]{1,9}(\.[a-z0-9]{1,9})?@[a-z]{1,9}\.[a-z]{2,6}$/);
const instant = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
const line = plainText.map((text) => text.trim()).filter((text) => text !== '');
const fields = {
  username: line,
  email,
  expiresAt: instant,
  maxConnections: fc.integer({ min: 1, max: 1000 }),
  isTrial: fc.boolean(),
  note: fc
    .array(fc.oneof(plainText, fc.constantFrom('\n', '\r\n', '\t')), { maxLength: 9 })
    .map((parts) => parts.join('')),
  hls: fc.boolean(),
  mpegTs: fc.boolean(),
  bundles: fc.uniqueArray(id),
  ipAddresses: fc.uniqueArray(fc.oneof(fc.ipV4(), fc.ipV6())),
  userAgents: fc.uniqueArray(plainText),
  countries: fc.uniqueArray(fc.constantFrom(...countryCodes)),
};

/** The arguments of callers, for every row: a row without them does not compile. */
const calls: Readonly<Record<OperationName, fc.Arbitrary<object>>> = {
  issueToken: fc.record({
    body: fc.record(
      { grant_type: plainText, client_id: plainText, client_secret: plainText, scope: plainText },
      { requiredKeys: [] },
    ),
  }),
  listSubscribers: fc.record({
    query: fc.record(
      {
        Username: plainText,
        Email: plainText,
        AccessToken: plainText,
        StatusId: fc.nat(),
        StatusIds: fc.array(fc.nat(), { minLength: 1, maxLength: 50 }).map(String),
        Expired: fc.boolean(),
        IsTrial: fc.boolean(),
        SortBy: fc.constantFrom(...sortOrders),
        Page: id,
        PageSize: fc.integer({ min: 1, max: 200 }),
      },
      { requiredKeys: [] },
    ),
  }),
  getStatistics: fc.record({
    query: fc.record({
      Limits: fc
        .uniqueArray(fc.integer({ min: 0, max: 4e12 }), { minLength: 1, maxLength: 60 })
        .map((all) => all.toSorted((one, other) => one - other).map((at) => new Date(at).toISOString())),
    }),
  }),
  createSubscriber: fc.record({
    body: fc.record(fields, { requiredKeys: ['username', 'email', 'expiresAt'] }),
  }),
  getSubscriber: fc.record({ params: fc.record({ id }), query: include }),
  updateSubscriber: fc.record({ params: fc.record({ id }), body: fc.record(fields, { requiredKeys: [] }) }),
  deleteSubscriber: fc.record({ params: fc.record({ id }) }),
  getSubscriberByToken: fc.record({ params: fc.record({ accessToken: plainText }), query: include }),
  regenerateToken: fc.record({ params: fc.record({ id }) }),
  listStatuses: fc.constant({}),
};

/** Reads what the client sends with the same row, as a server would: routed by the path's segments. */
async function sendAndRead(name: OperationName, call: object): Promise<unknown> {
  const endpoint: Endpoint = api[name];
  let read: unknown;
  const client = createClient(
    { row: endpoint },
    {
      base,
      fetch: async (request) => {
        expect(request.method).toBe(endpoint.method);
        read = await readInput(endpoint, request, segmentsOf(endpoint.path, new URL(request.url).pathname));
        return Response.json({});
      },
    },
  );
  await client.row(call as never).catch((error: unknown) => {
    // `{}` is not what every row answers; anything else that goes wrong is the test's business.
    if (read === undefined) throw error;
  });
  return read;
}

function segmentsOf(template: string, pathname: string): Record<string, string> {
  const [names, values] = [template.split('/'), pathname.split('/')];
  expect(values.length).toBe(names.length);
  const pairs = names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const);
  for (const [name, value] of pairs) if (!name.startsWith('{')) expect(value).toBe(name);
  return Object.fromEntries(
    pairs.filter(([name]) => name.startsWith('{')).map(([name, value]) => [name.slice(1, -1), value]),
  );
}

describe.each(Object.keys(api) as OperationName[])('%s', (name) => {
  const endpoint: Endpoint = api[name];

  it('gives a handler what its caller gave', async () => {
    await fc.assert(
      fc.asyncProperty(calls[name], async (call) => {
        const filledIn = endpoint.body && 'body' in call ? { body: z.decode(endpoint.body, call.body) } : {};
        expect(await sendAndRead(name, call)).toEqual({ ...call, ...filledIn });
      }),
      { seed: 20_261_120, numRuns: 50 },
    );
  });
});
