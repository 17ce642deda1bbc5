import { expect, it } from 'vitest';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemLine } from '../../support/service/problem-of.ts';
import type { Begin } from './subject.ts';

const taken = '422 invalid-input: username';

/** Unique without regard to case. */
export function usernames(begin: Begin): void {
  it('is taken by what differs only in case or composition, and free beside anything else', async () => {
    await expectOutcomes<[one: string, other: string]>(
      {
        [taken]: [
          ['Anna', 'ANNA'],
          ['Ørjan', 'øRJAN'],
          ['Ольга', 'ОЛЬГА'],
          ['Straße', 'STRASSE'],
          ['Ren\u00e9e', 'Rene\u0301e'],
          ['Οδυσσέας', 'ΟΔΥΣΣΈΑΣ'],
        ],
        free: [
          ['Anna', 'Anna2'],
          ['Rene', 'René'],
          ['a_b', 'axb'],
          ['a%', 'ab'],
        ],
      },
      async ([one, other]) => {
        const { client, send, anna, named } = await begin();
        await client.createSubscriber({ body: { ...anna, username: named(one) } });
        const response = await send('POST', '/subscribers', { body: { ...anna, username: named(other) } });
        const { totalCount } = (await client.listSubscribers({ query: { Username: named('') } })).data;
        expect(totalCount).toBe(response.ok ? 2 : 1);
        return response.ok ? 'free' : problemLine(response);
      },
    );
  });

  it('is refused to an update too where it is taken, which then changes nothing', async () => {
    const { client, send, anna, named } = await begin();
    await client.createSubscriber({ body: anna });
    const before = await client.createSubscriber({ body: { ...anna, username: named('Bert') } });
    const { id } = before.data;
    const body = { username: named('ANNA'), note: 'x' };
    const refused = await send('PUT', `/subscribers/${id}`, { body });
    const problem: unknown = await refused.clone().json();
    expect(problem).toMatchObject({ errors: { username: ['Username already taken. Choose another.'] } });
    expect(await problemLine(refused)).toBe(taken);
    const after = await client.getSubscriber({ params: { id }, query: {} });
    expect([after.data.note, after.etag]).toEqual(['', before.etag]);
  });

  it('may change its own case, and is free again once its subscriber is renamed or deleted', async () => {
    const { client, anna, named } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    const rename = async (username: string) =>
      (await client.updateSubscriber({ params: { id }, body: { username } })).data.username;
    expect(await rename(named('ANNA'))).toBe(named('ANNA'));
    expect(await rename(named('Bert'))).toBe(named('Bert'));
    await client.createSubscriber({ body: anna });
    await client.deleteSubscriber({ params: { id } });
    const again = await client.createSubscriber({ body: { ...anna, username: named('bert') } });
    expect(again.data.username).toBe(named('bert'));
  });

  it('goes to only one of ten simultaneous requests', async () => {
    const { send, anna } = await begin();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', '/subscribers', { body: anna })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(9).fill(422)]);
  });
}
