import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { type Person } from '../../support/bff/person.ts';
import { anna } from '../../support/people.ts';

let desk: TestDesk;
let viewer: Person;
beforeEach(async () => {
  desk = await createTestDesk({ people: [anna] });
  viewer = await desk.signIn('viewer');
});

const find = (accessToken: string, person: Pick<Person, 'ask'> = viewer) =>
  person.ask('POST', '/bff/find-by-token', { accessToken, include: [] });
const guess = (count: number, person?: Pick<Person, 'ask'>) =>
  Promise.all(Array.from({ length: count }, (_, index) => find(`guess-${index}`, person)));
const statuses = (answers: Response[]) =>
  Object.entries(Object.groupBy(answers, ({ status }) => String(status))).map(
    ([status, all]) => `${status}: ${all?.length}`,
  );
const token = () => desk.people[0]?.accessToken ?? '';

describe('the search by token', () => {
  it('is refused after 20 misses of an account at once, before the service is asked', async () => {
    expect(statuses(await guess(50))).toEqual(['404: 20', '429: 30']);
    expect(desk.upstream.calls).toHaveLength(20);
    const refused = await find(token());
    expect(await outcomeOf(refused)).toBe('429 too-many-requests');
    expect(refused.headers.get('Retry-After')).toBe('3');
    const [account] = await desk.db.selectFrom('staff').select('id').where('name', '=', 'viewer').execute();
    expect(desk.logs).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'token-misses-limited', staffId: account?.id }),
    );
  });

  it('is allowed once more after each 3 seconds, and 20 times after a minute', async () => {
    await guess(20);
    desk.time.now += 2999;
    expect(statuses(await guess(1))).toEqual(['429: 1']);
    desk.time.now += 1;
    expect(statuses(await guess(2))).toEqual(['404: 1', '429: 1']);
    desk.time.now += 60_000;
    expect(statuses(await guess(21))).toEqual(['404: 20', '429: 1']);
  });

  it('counts for one account alone, whatever its session and browser', async () => {
    await guess(20);
    expect((await find(token(), await desk.signIn('viewer'))).status).toBe(429);
    expect((await find(token(), await desk.signIn('support'))).status).toBe(200);
  });

  it('counts neither what was found nor failures of the service', async () => {
    for (let count = 0; count < 30; count += 1) expect((await find(token())).status).toBe(200);
    desk.upstream.operation = () => new Response(null, { status: 500 });
    expect(statuses(await guess(20))).toEqual(['502: 20']);
    desk.upstream.operation = (_, next) => next();
    expect(statuses(await guess(21))).toEqual(['404: 20', '429: 1']);
  });

  it('counts what the service does not accept as a token, but no input that the BFF itself refuses', async () => {
    for (let count = 0; count < 30; count += 1) expect((await find('')).status).toBe(422);
    desk.upstream.operation = () => new Response(null, { status: 422 });
    expect(statuses(await guess(21))).toEqual(['422: 20', '429: 1']);
  });

  it('is not limited in a tab, where there are no accounts', async () => {
    expect(statuses(await guess(50, desk.as('viewer')))).toEqual(['404: 50']);
  });
});
