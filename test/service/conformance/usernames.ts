import { expect, test } from 'vitest';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

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

const taken = { problem: '422 invalid-input', fields: ['username'] };

/** Unique without regard to case. */
export function usernames(begin: () => Promise<Caller>): void {
  test.each(same)('"%s" is taken where there is "%s"', async (one, other) => {
    const { client, send, anna, named } = await begin();
    await client.createSubscriber({ body: { ...anna, username: named(one) } });
    const response = await send('POST', '/subscribers', { body: { ...anna, username: named(other) } });
    const { errors } = (await response.clone().json()) as { errors: Record<string, string[]> };
    expect(errors['username']).toEqual(['Username already taken. Choose another.']);
    expect(await problemOf(response)).toMatchObject(taken);
    expect((await client.listSubscribers({ query: { Username: named('') } })).data.totalCount).toBe(1);
  });

  test.each(different)('"%s" is free where there is "%s"', async (one, other) => {
    const { client, anna, named } = await begin();
    await client.createSubscriber({ body: { ...anna, username: named(one) } });
    await client.createSubscriber({ body: { ...anna, username: named(other) } });
    expect((await client.listSubscribers({ query: { Username: named('') } })).data.totalCount).toBe(2);
  });

  test('one that is taken is refused to an update too, which then changes nothing', async () => {
    const { client, send, anna, named } = await begin();
    await client.createSubscriber({ body: anna });
    const before = await client.createSubscriber({ body: { ...anna, username: named('Bert') } });
    const { id } = before.data;
    const body = { username: named('ANNA'), note: 'x' };
    expect(await problemOf(await send('PUT', `/subscribers/${id}`, { body }))).toMatchObject(taken);
    const after = await client.getSubscriber({ params: { id }, query: {} });
    expect([after.data.note, after.etag]).toEqual(['', before.etag]);
  });

  test('one may change its own case', async () => {
    const { client, anna, named } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    const { data } = await client.updateSubscriber({ params: { id }, body: { username: named('ANNA') } });
    expect(data.username).toBe(named('ANNA'));
  });

  test('one is free again after its subscriber has been deleted or renamed', async () => {
    const { client, anna, named } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    await client.updateSubscriber({ params: { id }, body: { username: named('Bert') } });
    await client.createSubscriber({ body: anna });
    await client.deleteSubscriber({ params: { id } });
    const again = await client.createSubscriber({ body: { ...anna, username: named('bert') } });
    expect(again.data.username).toBe(named('bert'));
  });

  test('one goes to only one of ten simultaneous requests', async () => {
    const { send, anna } = await begin();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', '/subscribers', { body: anna })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(422),
    ]);
  });
}
