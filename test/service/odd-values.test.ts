import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { api } from '../../src/contract/service/api.ts';
import { fillPath, type Endpoint } from '../../src/contract/http/endpoint.ts';
import { listNames } from '../../src/contract/service/limits.ts';
import { CreateBody } from '../../src/contract/service/subscriber-input.ts';
import { engine } from '../support/setup/database.ts';
import { roundsOf } from '../support/setup/rounds.ts';
import { startService, type TestService } from '../support/service/harness.ts';
import { anna } from '../support/service/people.ts';

/** JSON texts, because some of these no value of JavaScript could write. */
const oddTexts = {
  'a NUL': String.raw`"a\u0000b"`,
  'a line break that would end a header': String.raw`"a\r\nX-Evil: 1"`,
  'a lone surrogate': String.raw`"\ud800"`,
  'surrogates in the wrong order': String.raw`"\udc00\ud800"`,
  'a joiner alone': String.raw`"\u200d"`,
  'a joiner between letters': String.raw`"a\u200db"`,
  'a mark that turns the direction': String.raw`"a\u202eb"`,
  'a byte order mark': String.raw`"\ufeffa"`,
  'a line separator': String.raw`"a\u2028b"`,
  'year 10000': '"10000-01-01T00:00:00Z"',
  'a year with a sign': '"+012026-01-01T00:00:00Z"',
  '30 February': '"2026-02-30T00:00:00Z"',
  '24 o’clock': '"2026-01-01T24:00:00Z"',
  'a leap second': '"2026-06-30T23:59:60Z"',
  '2^53': '9007199254740992',
  '1e400': '1e400',
  '-1e400': '-1e400',
  'minus zero': '-0',
  'a fraction next to nothing': '5e-324',
  null: 'null',
  true: 'true',
  'an object': '{}',
  'a prototype': '{"__proto__":{"polluted":1}}',
  'a constructor': '{"constructor":{"prototype":{"polluted":1}}}',
  'what pretends to be a list': '{"length":3,"0":1}',
  '10,000 lists in each other': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  '5,000 objects in each other': `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '60,000 characters': `"${'x'.repeat(60_000)}"`,
  '10,000 elements': `[${'1,'.repeat(9999)}1]`,
};
const bodyFields = [...Object.keys(CreateBody.shape), '__proto__', 'constructor', 'toString', 'id'];

/**
 * Bodies with the value: by itself, in a list, twice in a list, and after or before another field of its name. On
 * PostgreSQL only those that differ once JSON is parsed: it is slower.
 */
const bodiesWith = (field: string, odd: string): string[] => {
  const { [field as 'note']: _, ...others } = anna as Record<string, unknown>;
  const rest = JSON.stringify(others).slice(1);
  const bodies = [
    `{"${field}":${odd},${rest}`,
    `{"${field}":[${odd}],${rest}`,
    `{"${field}":[${odd},${odd}],${rest}`,
    `{"${field}":"first","${field}":${odd},${rest}`,
    `{"${field}":${odd},"${field}":"last",${rest}`,
  ];
  return engine === 'sqlite' ? bodies : bodies.slice(0, 2);
};

const oddWords = [
  '%00',
  '%0D%0AX-Evil:%201',
  '%ED%A0%80',
  '%E2%80%8D',
  '%E2%80%AE',
  '%EF%BB%BF',
  '%',
  '%FF',
  '%2e%2e%2f',
  '..%5C',
  '1e400',
  '-0',
  '9007199254740993',
  '10000-01-01T00:00:00Z',
  '__proto__',
  '[object%20Object]',
  'a%27%20or%201=1--',
  'x'.repeat(2000),
];
const queryNames = Object.values<Endpoint>(api).flatMap(({ query }) =>
  Object.keys((query as { shape?: object } | undefined)?.shape ?? {}),
);

/** In ms; far more than any answer takes, on a busy machine too. */
const patience = 30_000;

/** Sends it, and checks that the answer comes soon, without an error of the server or a header from the input. */
async function ask(service: TestService, ...request: Parameters<TestService['send']>): Promise<Response> {
  const begun = performance.now();
  const response = await service.send(...request);
  expect(performance.now() - begun).toBeLessThan(patience);
  expect(response.status, request[1]).toBeLessThan(500);
  expect(response.headers.has('X-Evil'), request[1]).toBe(false);
  return response;
}

/** Reads everybody, which is held against the contract: nothing was let in that cannot be read back. */
async function readBack({ client }: TestService): Promise<void> {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  const { items, totalCount } = (await client.listSubscribers({ query: { PageSize: 200 } })).data;
  expect(items.length).toBe(Math.min(totalCount, 200));
  for (const { id } of items)
    await client.getSubscriber({ params: { id }, query: { include: [...listNames] } });
}

describe.each(Object.entries(oddTexts))('%s', (_, odd) => {
  it('is refused in any field of a body, or stored as it is and nothing more', async () => {
    const service = await startService();
    const { client } = service;
    const { id: target } = (await client.createSubscriber({ body: { ...anna, username: 'Target' } })).data;
    for (const body of bodyFields.flatMap((field) => bodiesWith(field, odd))) {
      const put = await ask(service, 'PUT', `/subscribers/${target}`, { body });
      const post = await ask(service, 'POST', '/subscribers', { body });
      for (const { status } of [put, post]) expect([200, 413, 422], body.slice(0, 200)).toContain(status);
      const { id } = (await post.json()) as { id: number };
      if (post.ok) await client.deleteSubscriber({ params: { id } });
    }
    await readBack(service);
  });
});

const word = fc.oneof(
  fc.constantFrom(...oddWords),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
  fc.integer({ min: -2, max: 3 }).map(String),
);
const aBody = fc.oneof(
  fc
    .tuple(fc.constantFrom(...bodyFields), fc.oneof(fc.constantFrom(...Object.values(oddTexts)), fc.json()))
    .map(([field, odd]) => bodiesWith(field, odd)[0] ?? ''),
  fc.json(),
  fc.string({ unit: 'binary' }),
);
const aRequest = fc.record({
  id: fc.oneof(fc.constantFrom('1', '2'), word),
  query: fc.array(fc.tuple(fc.constantFrom(...queryNames), word), { maxLength: 4 }),
  body: aBody,
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { 'If-Match': '"1-1"' },
    { 'If-Match': ',,"",W/' },
    { 'If-Match': `"1-${'9'.repeat(40)}"` },
    { 'X-Request-Id': "';--" },
    { Authorization: 'Basic !' },
    { 'Content-Type': 'application/json; charset=x' },
  ),
});

describe.each(Object.values<Endpoint>(api))('$method $path', (row) => {
  it('refuses odd parameters, or finds nothing by them', async () => {
    const service = await startService();
    const names = row.query ? queryNames : ['any'];
    for (const word of oddWords) {
      const path = fillPath(row.path, { id: 'ODD', accessToken: 'ODD' }).replace('ODD', word);
      const queries = names.flatMap((name) => [`${name}=${word}`, `${name}=a&${name}=${word}`]);
      for (const query of [...queries, `${word}=a`])
        await ask(service, row.method, `${path}?${query}`, row.body && !row.form ? { body: anna } : {});
    }
  });

  it('answers no malformed input with an error of the server', async () => {
    const service = await startService();
    await service.client.createSubscriber({ body: anna });
    const type = row.form ? 'application/x-www-form-urlencoded' : 'application/json';
    await fc.assert(
      fc.asyncProperty(aRequest, async ({ id, query, body, headers }) => {
        const path = row.path.replace(/\{\w+\}/, () => id);
        const pairs = query.map((pair) => pair.join('='));
        await ask(service, row.method, `${path}?${pairs.join('&')}`, {
          headers: { 'Content-Type': type, ...headers },
          ...(row.body && { body: row.form ? [...pairs, body].join('&') : body }),
        });
      }),
      { seed: 20_260_602, numRuns: roundsOf(engine === 'sqlite' ? 300 : 50, 1000) },
    );
    await readBack(service);
  });
});
