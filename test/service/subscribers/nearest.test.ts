import { describe, expect, it } from 'vitest';
import { readNearest } from '../../../src/service/subscribers/nearest.ts';
import { startService } from '../../support/service/harness.ts';
import { person } from '../../support/people.ts';

/** As many letters as are compared, each of which is there once. */
const name = 'abcdefghijklmnopqrstuvwxyz012345';

describe('the nearest to a long text', () => {
  it('is found wherever one letter is wrong, missing or too many', async () => {
    const { client, db } = await startService();
    await client.createSubscriber({ body: person(name) });
    const texts = [...name].flatMap((_, index) => {
      const [before, after] = [name.slice(0, index), name.slice(index + 1)];
      return [`${before}6${after}`, before + after, `${before}6${name.slice(index)}`];
    });
    const found = await Promise.all(texts.map((text) => readNearest(db, text, 1)));
    expect(found.map(([first]) => first?.username)).toEqual(texts.map(() => name));
  });

  it('is looked for in the index a few times and by a few of its parts, where there is none', async () => {
    const { db } = await startService();
    const lengths: number[] = [];
    const counted = db.withPlugin({
      transformQuery({ node }) {
        lengths.push(JSON.stringify(node).length);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    expect(await readNearest(counted, name, 1)).toEqual([]);
    expect(lengths.length).toBeLessThan(10);
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(30_000);
  });
});
