import { describe, expect, test } from 'vitest';
import { api } from '../../src/contract/service/api.ts';
import { fillPath, type Endpoint } from '../../src/contract/http/endpoint.ts';
import { listNames } from '../../src/contract/service/subscriber.ts';
import { CreateBody } from '../../src/contract/service/subscriber-input.ts';
import { startService } from '../support/service/harness.ts';
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

/** Bodies with the value: by itself, in a list, twice in a list, and after or before another field of its name. */
const bodiesWith = (field: string, odd: string): string[] => {
  const { [field as 'note']: _, ...others } = anna as Record<string, unknown>;
  const rest = JSON.stringify(others).slice(1);
  return [
    `{"${field}":${odd},${rest}`,
    `{"${field}":[${odd}],${rest}`,
    `{"${field}":[${odd},${odd}],${rest}`,
    `{"${field}":"first","${field}":${odd},${rest}`,
    `{"${field}":${odd},"${field}":"last",${rest}`,
  ];
};

/** In ms; far more than any answer takes, on a busy machine too. */
const patience = 30_000;

async function soon(answer: Promise<Response>): Promise<Response> {
  const asked = performance.now();
  const response = await answer;
  expect(performance.now() - asked).toBeLessThan(patience);
  return response;
}

describe.each(Object.entries(oddTexts))('%s', (_, odd) => {
  test('in any field of a body is refused, or kept as it is and nothing more', async () => {
    const { send, client } = await startService();
    const { id } = (await client.createSubscriber({ body: { ...anna, username: 'Target' } })).data;
    for (const field of bodyFields)
      for (const body of bodiesWith(field, odd))
        for (const [method, path] of [
          ['PUT', `/subscribers/${id}`],
          ['POST', '/subscribers'],
        ] as const) {
          // What is answered with 200 the harness has held against the contract.
          const response = await soon(send(method, path, { body }));
          expect([200, 413, 422], body.slice(0, 200)).toContain(response.status);
          expect(response.headers.has('X-Evil')).toBe(false);
          const record = (await response.json()) as { id: number; username: string };
          if (method === 'POST' && response.status === 200)
            await client.deleteSubscriber({ params: { id: record.id } });
        }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const read = await client.getSubscriber({ params: { id }, query: { include: [...listNames] } });
    expect(read.data.id).toBe(id);
  });
});

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

test.each(Object.entries<Endpoint>(api))(
  '%s refuses odd parameters, or finds nothing by them',
  async (_, row) => {
    const { send } = await startService();
    const names = Object.keys((row.query as { shape?: object } | undefined)?.shape ?? { any: 1 });
    for (const word of oddWords) {
      const path = fillPath(row.path, { id: 'ODD', accessToken: 'ODD' }).replace('ODD', word);
      const queries = names.flatMap((name) => [`${name}=${word}`, `${name}=a&${name}=${word}`, `${word}=a`]);
      for (const query of queries) {
        const sending = row.body && !row.form ? { body: anna } : {};
        const response = await soon(send(row.method, `${path}?${query}`, sending));
        expect(response.status, `${path}?${query}`).toBeLessThan(500);
        expect(response.headers.has('X-Evil')).toBe(false);
      }
    }
  },
);
