import { describe, expect, test } from 'vitest';
import { problemOf, startService } from './harness.ts';
import { anna } from './people.ts';

const same: [string, string][] = [
  ['Anna', 'ANNA'],
  ['Ørjan', 'øRJAN'],
  ['Ольга', 'ОЛЬГА'],
  ['Straße', 'STRASSE'],
  ['Ren\u00e9e', 'Rene\u0301e'],
  ['Οδυσσέας', 'ΟΔΥΣΣΈΑΣ'],
];
const different: [string, string][] = [
  ['Anna', 'Anna2'],
  ['Rene', 'René'],
  ['a_b', 'axb'],
  ['a%', 'ab'],
];

const taken = {
  problem: '422 invalid-input',
  fields: ['username'],
};

describe('a username', () => {
  test.each(same)('"%s" is taken where there is "%s"', async (one, other) => {
    const { client, send } = await startService();
    await client.createSubscriber({ body: { ...anna, username: one } });
    const response = await send('POST', '/subscribers', { body: { ...anna, username: other } });
    const { errors } = (await response.clone().json()) as { errors: Record<string, string[]> };
    expect(errors['username']).toEqual(['Another subscriber has this username. Choose another one.']);
    expect(await problemOf(response)).toMatchObject(taken);
    expect((await client.listSubscribers({ query: {} })).data.totalCount).toBe(1);
  });

  test.each(different)('"%s" is free where there is "%s"', async (one, other) => {
    const { client } = await startService();
    await client.createSubscriber({ body: { ...anna, username: one } });
    await client.createSubscriber({ body: { ...anna, username: other } });
    expect((await client.listSubscribers({ query: {} })).data.totalCount).toBe(2);
  });

  test('that is taken is refused to an update too, which then changes nothing', async () => {
    const { client, send } = await startService();
    await client.createSubscriber({ body: anna });
    const before = await client.createSubscriber({ body: { ...anna, username: 'Bert' } });
    const refused = await send('PUT', '/subscribers/2', { body: { username: 'ANNA', note: 'x' } });
    expect(await problemOf(refused)).toMatchObject(taken);
    const after = await client.getSubscriber({ params: { id: 2 }, query: {} });
    expect([after.data.note, after.etag]).toEqual(['', before.etag]);
  });

  test('may change its own case', async () => {
    const { client } = await startService();
    await client.createSubscriber({ body: anna });
    const { data } = await client.updateSubscriber({ params: { id: 1 }, body: { username: 'ANNA' } });
    expect(data.username).toBe('ANNA');
  });

  test('is free again after its subscriber has been deleted or renamed', async () => {
    const { client } = await startService();
    await client.createSubscriber({ body: anna });
    await client.updateSubscriber({ params: { id: 1 }, body: { username: 'Bert' } });
    await client.createSubscriber({ body: anna });
    await client.deleteSubscriber({ params: { id: 1 } });
    expect((await client.createSubscriber({ body: { ...anna, username: 'bert' } })).data.id).toBe(3);
  });

  test('goes to one of ten who ask for it at once', async () => {
    const { send } = await startService();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', '/subscribers', { body: anna })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(422),
    ]);
  });
});
