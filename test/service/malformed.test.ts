import fc from 'fast-check';
import { expect, test } from 'vitest';
import { api } from '../../src/contract/service/api.ts';
import type { Endpoint } from '../../src/contract/http/endpoint.ts';
import { listNames } from '../../src/contract/service/subscriber.ts';
import { CreateBody } from '../../src/contract/service/subscriber-input.ts';
import { startService } from '../support/service/harness.ts';
import { anna, annaWhole } from '../support/service/people.ts';

/** Values that have broken services before. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\r\nX-Evil: 1',
  '\ud800',
  '\u200d',
  '\u202e',
  '\uFEFF',
  '%',
  '%00',
  '%2F',
  '..',
  "' or 1=1 --",
  '-0',
  '1e400',
  '9007199254740993',
  '99999999999999999999',
  '10000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  'x'.repeat(300),
);
const word = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer({ min: -2, max: 3 }).map(String),
);

const value = fc.oneof(
  word,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, -0, 1e308, 2 ** 53, -1, 1.5, true, [], {}, [[]], ['a', 'a'], [1, 1]),
);
const fields = [...Object.keys(CreateBody.shape), 'id', '__proto__', 'constructor', 'toString'];
const aBody = fc.oneof(
  fc.dictionary(fc.constantFrom(...fields), value).map((odd) => JSON.stringify({ ...anna, ...odd })),
  fc.dictionary(fc.constantFrom(...fields), value).map((odd) => JSON.stringify({ ...annaWhole, ...odd })),
  fc.json(),
  fc.string(),
  fc.constantFrom(
    '1e400',
    '{"bundles":[1e400]}',
    '{"note":"\\ud800"}',
    '{"a":1,"a":2}',
    '{"a":'.repeat(10_000),
  ),
);

const name = fc.constantFrom(
  'Username',
  'Email',
  'AccessToken',
  'StatusId',
  'Expired',
  'IsTrial',
  'AfterId',
  'SortBy',
  'Page',
  'PageSize',
  'include',
  '__proto__',
);
const query = fc
  .array(fc.tuple(name, word), { maxLength: 4 })
  .map((pairs) =>
    pairs.map(([key, text]) => `${key}=${text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'}`),
  );

const header = fc.constantFrom<Record<string, string>>(
  {},
  { 'If-Match': '"1-1"' },
  { 'If-Match': ',,"",W/' },
  { 'If-Match': `"1-${'9'.repeat(40)}"` },
  { 'X-Request-Id': "';--" },
  { Authorization: 'Basic !' },
  { 'Content-Type': 'application/json; charset=x' },
);

const segment = word.filter((text) => text.isWellFormed()).map(encodeURIComponent);

test.each(Object.entries<Endpoint>(api))('%s answers no malformed input with a 5xx', async (_, row) => {
  const { client, send } = await startService();
  await client.createSubscriber({ body: annaWhole });
  const type = row.form ? 'application/x-www-form-urlencoded' : 'application/json';
  const aRequest = fc.record({
    id: fc.oneof(fc.constantFrom('1', '2'), segment),
    query,
    body: aBody,
    headers: header,
  });
  await fc.assert(
    fc.asyncProperty(aRequest, async ({ id, query, body, headers }) => {
      const path = row.path.replace(/\{\w+\}/, () => id);
      const response = await send(row.method, `${path}?${query.join('&')}`, {
        headers: { 'Content-Type': type, ...headers },
        ...(row.body && { body: row.form ? [...query, body].join('&') : body }),
      });
      expect(response.status).toBeLessThan(500);
      expect(response.headers.has('X-Evil')).toBe(false);
    }),
    { seed: 20_260_602, numRuns: 1000 },
  );
  // And nothing was let in that cannot be read back as the contract has it.
  const { items, totalCount } = (await client.listSubscribers({ query: { PageSize: 200 } })).data;
  expect(items.length).toBe(Math.min(totalCount, 200));
  for (const { id } of items)
    await client.getSubscriber({ params: { id }, query: { include: [...listNames] } });
});
