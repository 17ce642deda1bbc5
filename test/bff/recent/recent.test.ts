import { beforeEach, describe, expect, it, test } from 'vitest';
import { recentLimit } from '../../../src/contract/bff/recent.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { manage, type Person } from '../../support/bff/person.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';

let desk: TestDesk;
let support: Person;
beforeEach(async () => {
  const names = Array.from({ length: recentLimit + 2 }, (_, index) => `user-${index + 1}`);
  desk = await createTestDesk({ people: names.map((name) => person(name)) });
  support = await desk.signIn('support');
});

const open = async (...ids: number[]) => openBy(support, ...ids);
async function openBy(by: Person, ...ids: number[]): Promise<void> {
  for (const id of ids) await by.bff.addRecentSubscriber({ params: { id } });
}
const recent = async (of = support) => (await of.bff.listRecentSubscribers({})).data.map(({ id }) => id);
const rows = () => desk.rows('recent_subscribers');

describe('the list of subscribers that somebody opened last', () => {
  it('begins with the last one, each once, with username and email as they are now', async () => {
    expect(await recent()).toEqual([]);
    await open(1, 2, 3, 3, 1);
    await desk.service.updateSubscriber({ params: { id: 1 }, body: { username: 'renamed' } });
    expect((await support.bff.listRecentSubscribers({})).data).toEqual([
      { id: 1, username: 'renamed', email: desk.people[0]?.email },
      { id: 3, username: 'user-3', email: desk.people[2]?.email },
      { id: 2, username: 'user-2', email: desk.people[1]?.email },
    ]);
  });

  it('listens once for the end of its client, however many it reads', async () => {
    await open(1, 2, 3);
    const requested: AbortSignal[] = [];
    const { signal } = new AbortController();
    const request = ask('GET', '/bff/recent-subscribers', { headers: { Cookie: support.cookie() } });
    const answer = await desk.fetch(request, {
      address: '192.0.2.1',
      signal() {
        requested.push(signal);
        return signal;
      },
    });
    expect([answer.status, requested.length]).toEqual([200, 1]);
  });

  it('is in the order in which they were opened, also after the clock was set back', async () => {
    await open(1);
    desk.time.now -= 60_000;
    await open(2);
    expect(await recent()).toEqual([2, 1]);
  });

  it(`has at most ${recentLimit} subscribers, and no more are kept`, async () => {
    await open(...Array.from({ length: recentLimit + 2 }, (_, index) => index + 1));
    expect(await recent()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(await rows()).toHaveLength(recentLimit);
  });

  it('is the same in another browser, also when both open some at once, and nobody else’s', async () => {
    const elsewhere = await desk.signIn('support');
    const colleague = await desk.signIn('colleague');
    await openBy(colleague, 5);
    await Promise.all([open(1, 2, 3, 4, 5, 6), openBy(elsewhere, 7, 8, 9, 10, 11, 12)]);
    expect(await recent()).toHaveLength(recentLimit);
    expect(await recent(elsewhere)).toEqual(await recent());
    expect(await recent(colleague)).toEqual([5]);
  });

  it('loses one that was deleted', async () => {
    await open(1, 2, 3);
    await desk.service.deleteSubscriber({ params: { id: 2 } });
    expect(await recent()).toEqual([3, 1]);
    expect(await rows()).toHaveLength(2);
  });

  it('is kept while the service fails, and the answer says so', async () => {
    await open(1, 2);
    desk.upstream.operation = () => new Response(null, { status: 500 });
    expect(await outcomeOf(support.ask('GET', '/bff/recent-subscribers'))).toBe('502 bad-upstream');
    desk.upstream.operation = (_, next) => next();
    expect(await recent()).toEqual([2, 1]);
  });

  it('shows the others while one of them cannot be read, and this one again afterwards', async () => {
    await open(1, 2, 3);
    desk.upstream.operation = ({ url }, next) =>
      url.includes('/subscribers/2') ? new Response(null, { status: 500 }) : next();
    expect(await recent()).toEqual([3, 1]);
    desk.upstream.operation = (_, next) => next();
    expect(await recent()).toEqual([3, 2, 1]);
  });

  it('needs a few reads at once, and none where nobody was opened', async () => {
    await recent();
    expect(desk.upstream.calls).toEqual([]);
    await open(...Array.from({ length: recentLimit }, (_, index) => index + 1));
    let [running, most] = [0, 0];
    desk.upstream.operation = async (_, next) => {
      running += 1;
      most = Math.max(most, running);
      const answer = await next();
      running -= 1;
      return answer;
    };
    await recent();
    expect(desk.upstream.calls).toHaveLength(recentLimit);
    expect(most).toBe(4);
  });

  it('is in no entry of the journal, and without names in the database and the log', async () => {
    const entries = () => desk.db.selectFrom('journal').select('operation').execute();
    const before = await entries();
    await open(1);
    await recent();
    expect(await entries()).toEqual(before);
    expect(await rows()).toEqual([{ owner: expect.any(String), subscriber_id: 1, opened_at: desk.time.now }]);
    expect(JSON.stringify(desk.logs)).not.toContain('user-1');
  });

  it('is deleted when the account is disabled', async () => {
    await open(1);
    const manager = await manage(desk);
    await manager.change('support', { disabled: true });
    expect(await rows()).toEqual([]);
    await manager.change('support', { disabled: false });
    expect(await recent(await desk.signIn('support'))).toEqual([]);
  });

  it('loses one that is forgotten, of whom nothing else is stored', async () => {
    await open(1, 2);
    await openBy(await desk.signIn('colleague'), 2);
    const forget = () => forgetSubscriber(desk.db, createMac(journalKey), 2);
    expect(await forget()).toMatchObject({ entries: 0, drafts: 0, rows: 0, recent: 2, open: 0 });
    expect(await recent()).toEqual([1]);
    expect(await forget()).toBeNull();
  });
});

test('a user of a tab, where there are no accounts, has a list of subscribers opened last too', async () => {
  const tab = desk.as('viewer');
  await tab.bff.addRecentSubscriber({ params: { id: 1 } });
  expect((await tab.bff.listRecentSubscribers({})).data).toMatchObject([{ id: 1, username: 'user-1' }]);
});
