import { beforeEach, describe, expect, it } from 'vitest';
import { enumerationLimit } from '../../../src/bff/http/read-limits.ts';
import { codeIn, outcomeOf } from '../../support/bff/browser.ts';
import type { Person } from '../../support/bff/person.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { anna, person } from '../../support/people.ts';

let desk: TestDesk;
let manager: Person;
let token: string;
beforeEach(async () => {
  desk = await createTestDesk({ people: [anna, person('bjarne')] });
  manager = await desk.signIn('manager');
  token = desk.people[0]?.accessToken ?? '';
});

const params = { id: 1 };
const find = (who: Person, accessToken = token) =>
  who.ask('POST', '/bff/find-previous-token', { accessToken });
const at = () => new Date(desk.time.now).toISOString();
const byManager = { name: 'manager', singleSignOn: false };

describe('a former access token', () => {
  it('is known by who replaced it, also after another one, and with the name of now', async () => {
    await manager.api.regenerateToken({ params });
    const replaced = at();
    desk.time.now += 60_000;
    await manager.api.regenerateToken({ params });
    await manager.api.updateSubscriber({ params, body: { username: 'anna2' } });
    const answer = await find(await desk.signIn('viewer'));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        operation: 'regenerateToken',
        by: byManager,
        at: replaced,
        subscriber: { id: 1, username: 'anna2' },
      },
    ]);
  });

  it('is known by who deleted its subscriber, but not to viewers', async () => {
    await manager.api.regenerateToken({ params });
    const last = (await desk.saved()).accessToken;
    desk.time.now += 60_000;
    await manager.api.deleteSubscriber({ params });
    for (const one of [token, last])
      expect(await (await find(await desk.signIn('support'), one)).json()).toEqual({
        operation: 'deleteSubscriber',
        by: byManager,
        at: at(),
        subscriber: { id: 1, username: 'anna' },
      });
    expect(await outcomeOf(find(await desk.signIn('viewer')))).toBe('404 no-such-subscriber');
  });

  it('is unknown where it is present, was never one, or its replacement failed', async () => {
    expect(await codeIn(await find(manager))).toBe('no-such-subscriber');
    desk.upstream.operation = ({ method }, next) =>
      method === 'POST' ? new Response(null, { status: 500 }) : next();
    await manager.api.regenerateToken({ params }).catch(() => null);
    desk.upstream.operation = (_, next) => next();
    expect(await codeIn(await find(manager))).toBe('no-such-subscriber');
    expect(await codeIn(await find(manager, 'x'.repeat(43)))).toBe('no-such-subscriber');
  });

  it('stands nowhere in the tables', async () => {
    await manager.api.regenerateToken({ params });
    await find(manager);
    expect(JSON.stringify(await desk.rows('journal'))).not.toContain(token);
    expect(JSON.stringify(desk.logs)).not.toContain(token);
  });

  it('cannot be guessed faster than a present one', async () => {
    const answers = await Promise.all(
      Array.from({ length: enumerationLimit.atOnce + 1 }, (_, index) => find(manager, `guess-${index}`)),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});
