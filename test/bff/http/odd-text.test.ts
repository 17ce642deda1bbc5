import fc from 'fast-check';
import { expect, it, describe } from 'vitest';
import { bffApi, proxiedApi } from '../../../src/contract/bff/api.ts';
import type { BffEndpoint } from '../../../src/contract/bff/permission.ts';
import { createPerson, type Person } from '../../support/bff/person.ts';
import { publicUrl } from '../../support/bff/browser.ts';
import { apiRoutes, everyRoute, type SampleRoute } from '../../support/bff/routes.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { roundsOf } from '../../support/setup/rounds.ts';

/** NUL, which PostgreSQL stores in no text; halves of a pair; what nobody sees, turns text, or lies past whole numbers. */
const oddTexts = [
  '\0',
  'a\0b',
  '\uD800',
  'a\uDC00b',
  '\u200B',
  '\u202Ea\u2066',
  '\uFEFF',
  '\uFFFF',
  '9007199254740993',
  '1e400',
  '',
  '\u{1F468}\u200D\u{1F469}',
];
const oddNumbers = [2 ** 53, 2 ** 63, -1, -0, 1e300, 0.5];
const odd = [...oddTexts, ...oddNumbers, null, [], {}];

const rows: Readonly<Record<string, BffEndpoint>> = { ...bffApi, ...proxiedApi };

interface OddRequest {
  path: string;
  body: unknown;
}

/** The sample request with each of its fields replaced by each odd value, one at a time. */
function requestsOf({ name, line, path, body }: SampleRoute): OddRequest[] {
  const row = rows[name];
  const [, template = ''] = line.split(' ');
  const inPath = template.includes('{id}')
    ? oddTexts.map((text) => ({ path: template.replace('{id}', encode(text)), body }))
    : [];
  const fields = Object.keys(shapeOf(row?.query));
  const inQuery = fields.flatMap((field) =>
    oddTexts.map((text) => ({ path: `${path}?${field}=${encode(text)}`, body })),
  );
  // Those that the sample leaves out, too.
  const given: object = Object(body);
  const remaining = Object.keys(shapeOf(row?.body)).filter((field) => !(field in given));
  const added = remaining.flatMap((field) => odd.map((value) => ({ ...given, [field]: value })));
  const inBody = [...variantsOf(body), ...added].map((changed) => ({ path, body: changed }));
  const byChance = fc.sample(aMalformed, { seed: 20_261_129, numRuns: roundsOf(10, 1000) });
  const malformed = byChance.map(({ id, query, field, value }) => ({
    path: `${template.replace('{id}', encode(id))}?${fields[field % fields.length] ?? 'any'}=${encode(query)}`,
    body: body === undefined ? undefined : field === 0 ? value : withField(body, field, value),
  }));
  return [...inPath, ...inQuery, ...inBody, ...malformed];
}

const aText = fc.string({ unit: 'binary', minLength: 1 });
const aMalformed = fc.record({ id: aText, query: aText, field: fc.nat(12), value: fc.jsonValue() });

function withField(body: unknown, field: number, value: unknown): unknown {
  const names = Object.keys(Object(body));
  return { ...Object(body), [names[field % names.length] ?? 'any']: value };
}

const shapeOf = (schema: unknown): object => (schema as { shape?: object } | undefined)?.shape ?? {};

/** As a stranger may: half of a pair has no UTF-8, but can be written as if it had. */
const encode = (text: string) =>
  text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.toWellFormed()).replace('%EF%BF%BD', '%ED%A0%80');

function variantsOf(value: unknown): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => variantsOf(item).map((changed) => value.with(index, changed)));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) =>
      variantsOf(item).map((changed) => ({ ...value, [name]: changed })),
    );
  return value === undefined ? [] : odd;
}

/** The requests that the server answered as a fault of its own. */
async function faultsOf(bff: TestDesk, route: SampleRoute): Promise<string[]> {
  const name = `somebody for ${route.name}`;
  await bff.hire('manager', name);
  let person: Person = await bff.signIn(name);
  const faults: string[] = [];
  for (const { path, body } of requestsOf(route)) {
    const answer = await person.ask(route.method, path, body);
    await answer.body?.cancel();
    // A server with many scans under way is busy, and says when to come again.
    const isFault = answer.status >= 500 && !answer.headers.has('Retry-After');
    if (isFault) faults.push(`${answer.status} ${route.method} ${path} ${JSON.stringify(body)}`);
    if (answer.status === 401)
      person = await bff.signIn(name).catch(() => createPerson(bff.fetch, publicUrl));
  }
  return faults;
}

describe('odd text in any field', () => {
  it.each(everyRoute)('is no fault of the server: $line', async (route) => {
    const bff = await createTestDesk({ service: 'canned' });
    await bff.stop();
    expect(await faultsOf(bff, route)).toEqual([]);
  });

  it('is none of the service either', async () => {
    const bff = await createTestDesk({ samples: 20 });
    for (const route of apiRoutes) expect(await faultsOf(bff, route)).toEqual([]);
  });
});
