import { beforeEach, describe, expect, it } from 'vitest';
import { bundleLimits, type Bundle } from '../../../src/contract/bff/bundle.ts';
import { nameSampleBundles } from '../../../src/bff/bundles/bundles.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';

const sports = { number: 3, name: 'Sports', isSold: true };
const movies = { number: 4, name: 'Movies', isSold: false };

let desk: TestDesk;
let mia: Awaited<ReturnType<TestDesk['signIn']>>;
let sue: typeof mia;

beforeEach(async () => {
  desk = await createTestDesk({ staff: { mia: 'manager', sue: 'support' } });
  [mia, sue] = [await desk.signIn('mia'), await desk.signIn('sue')];
});

const list = async () => (await sue.bff.listBundles({})).data;
const save = (bundles: Bundle[], version = 0) => mia.ask('PUT', '/bff/bundles', { bundles, version });

describe('the list of bundles', () => {
  it('is empty at first, and then as a manager saved it, in that order', async () => {
    expect(await list()).toEqual({ bundles: [], version: 0 });
    expect((await save([movies, sports])).status).toBe(200);
    expect(await list()).toEqual({ bundles: [movies, sports], version: 1 });
    expect((await save([sports, movies], 1)).status).toBe(200);
    expect(await list()).toEqual({ bundles: [sports, movies], version: 2 });
  });

  it('cannot be saved by two managers at once: the second is told', async () => {
    const answers = await Promise.all([save([sports]), save([movies])]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 412]));
    expect((await list()).bundles).toHaveLength(1);
    const { bundles } = await list();
    expect((await save(bundles, 1)).status).toBe(200);
    for (const old of [0, 1]) expect(await outcomeOf(await save([], old))).toBe('412 changed-meanwhile');
    expect(await list()).toEqual({ bundles, version: 2 });
  });

  it.each([400, 403, 404, 500])('is not taken for empty if the service answers %i', async (status) => {
    const dialect = Dialect.parse({ bundles: { path: '/packages' } });
    desk = await createTestDesk({ upstream: { dialect } });
    sue = await desk.signIn('support');
    desk.upstream.operation = () => Response.json([], { status });
    expect((await sue.ask('GET', '/bff/bundles')).status).toBeGreaterThanOrEqual(500);
  });

  it('has none of a service whose name is far too long, without a look at all of its letters', async () => {
    const dialect = Dialect.parse({ bundles: { path: '/packages' } });
    desk = await createTestDesk({ upstream: { dialect } });
    sue = await desk.signIn('support');
    const longest = 'a'.repeat(bundleLimits.name);
    desk.upstream.operation = () =>
      Response.json([
        // Without its blanks it would do.
        { id: 3, name: 'Sports'.padEnd(8 * bundleLimits.name + 1) },
        { id: 4, name: longest },
        { id: 5, name: 'Movies'.padEnd(255) },
      ]);
    expect((await list()).bundles).toEqual([
      { number: 4, name: longest, isSold: true },
      { number: 5, name: 'Movies', isSold: true },
    ]);
  });

  it.each<[string, Bundle[], string]>([
    ['a number twice', [sports, { ...movies, number: 3 }], 'bundles.1'],
    [
      'a name twice, whatever its case',
      [sports, { ...movies, name: 'SPÖRTS'.normalize('NFD') }],
      'bundles.1',
    ],
    ['no number', [{ ...sports, number: 0 }], 'bundles.0.number'],
    ['no name', [{ ...sports, name: ' ' }], 'bundles.0.name'],
    ['a name of digits', [{ ...sports, name: '12' }], 'bundles.0.name'],
    ['a name that is too long', [{ ...sports, name: 'a'.repeat(bundleLimits.name + 1) }], 'bundles.0.name'],
    [
      'too many',
      Array.from({ length: bundleLimits.bundles + 1 }, (_, index) => ({
        number: index + 1,
        name: `Bundle ${index + 1}`,
        isSold: true,
      })),
      'bundles',
    ],
  ])('is refused with %s', async (_, bundles, field) => {
    const response = await save(bundles);
    expect(response.status).toBe(422);
    expect(Object.keys((await response.json()).errors)).toEqual([field]);
    expect(await list()).toEqual({ bundles: [], version: 0 });
  });

  it('has names for made-up subscribers, unless somebody has saved some', async () => {
    await nameSampleBundles(desk.db);
    expect((await list()).bundles).toHaveLength(12);
    await save([sports], 1);
    await nameSampleBundles(desk.db);
    expect((await list()).bundles).toEqual([sports]);
  });
});
