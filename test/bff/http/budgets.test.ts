import { describe, expect, it, test } from 'vitest';
import { writeLimits } from '../../../src/bff/http/budgets.ts';
import { readLimitsOf } from '../../../src/bff/http/read-limits.ts';
import { bffApi, proxiedApi } from '../../../src/contract/bff/api.ts';
import { budgetOf, type BffEndpoint } from '../../../src/contract/bff/permission.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { trySignIn } from '../../support/bff/person.ts';
import { closedRoutes } from '../../support/bff/routes.ts';
import { createTestDesk } from '../../support/desk.ts';

const tooMany = '429 too-many-requests';
const rows: Readonly<Record<string, BffEndpoint>> = { ...bffApi, ...proxiedApi };

/** Budgets of closed rows that are neither a plain read nor a plain write; by hand, as all policies in the tests. */
const others: Readonly<Record<string, string | null>> = {
  signOut: null,
  getSubscriberByToken: 'tokenSearch',
  getPreviousToken: 'tokenSearch',
  keepDraft: 'note',
  dropDraft: 'note',
  addRecentSubscriber: 'note',
  listRecentSubscribers: 'list',
  listActivity: 'list',
  totalActivity: 'list',
  getScan: 'list',
  startScan: 'list',
  getOverview: 'list',
  getOverviewChanges: 'list',
  listSubscribers: 'list',
  createJob: 'job',
  addImport: 'job',
  addImportText: 'part',
  createImport: 'job',
  importAnyway: 'job',
  undoJob: 'job',
  exportActivity: 'export',
  exportSubscribers: 'export',
  exportJobRows: 'export',
  changePassword: 'password',
  addStaff: 'password',
  resetStaffPassword: 'password',
};

test('every row of the BFF takes from the budget that it is meant to', () => {
  const usual = ({ method }: { method: string }) => (method === 'GET' ? 'read' : 'write');
  const budgets = closedRoutes.map(({ name }) => [name, rows[name] && budgetOf(rows[name])]);
  const expected = closedRoutes.map((route) => [
    route.name,
    route.name in others ? others[route.name] : usual(route),
  ]);
  expect(Object.fromEntries(budgets)).toEqual(Object.fromEntries(expected));
});

const limited = () => createTestDesk({ service: 'canned', accountLimits: readLimitsOf(1000) });

/** Sends as many at once as one may, and one more. */
async function flood(ask: () => Promise<Response>, count: number): Promise<string[]> {
  const outcomes = await Promise.all(Array.from({ length: count + 1 }, () => outcomeOf(ask())));
  return outcomes.filter((outcome) => outcome === tooMany);
}

describe('the budget of an account', () => {
  it.each([
    ['what people press', 'write', 'POST', '/bff/views', null],
    ['drafts', 'note', 'PUT', '/bff/drafts/7', null],
    ['jobs', 'job', 'POST', '/bff/jobs', 'jobs'],
    ['imports', 'job', 'POST', '/bff/imports', null],
    ['new passwords', 'password', 'PUT', '/bff/password', null],
  ] as const)('limits %s, and a refused one writes nothing', async (_, budget, method, path, table) => {
    const bff = await limited();
    await bff.stop();
    const manager = await bff.signIn('manager');
    const { body } = closedRoutes.find((route) => route.method === method && route.path === path) ?? {};
    const { atOnce, perMinute } = writeLimits[budget];
    const before = table && (await bff.rows(table)).length;
    // A new password that is taken ends the session that the others are sent with.
    const ask = () => manager.ask(method, path, budget === 'password' ? {} : body);
    expect(await flood(ask, atOnce)).toEqual([tooMany]);
    expect(table === null || (await bff.rows(table)).length - Number(before)).toBe(table === null || atOnce);
    const answer = await ask();
    expect(answer.headers.get('Retry-After')).toBe(String(Math.ceil(60 / perMinute)));
    bff.time.now += 60_000 / perMinute;
    expect(await outcomeOf(ask())).not.toBe(tooMany);
    expect(await outcomeOf(ask())).toBe(tooMany);
  });

  it('is asked before the body is read', async () => {
    const bff = await limited();
    const manager = await bff.signIn('manager');
    await flood(() => manager.ask('POST', '/bff/views', {}), writeLimits.write.atOnce);
    expect(await outcomeOf(manager.ask('POST', '/bff/views?page=none'))).toBe(tooMany);
  });

  it('limits exports, one after the other, since each is an entry of the journal', async () => {
    const bff = await limited();
    const manager = await bff.signIn('manager');
    const before = (await bff.rows('journal')).length;
    const outcomes: string[] = [];
    for (let count = 0; count <= writeLimits.export.atOnce; count += 1) {
      const answer = await manager.ask('GET', '/bff/activity/export');
      outcomes.push(String(answer.status));
      await answer.text();
    }
    expect(outcomes.filter((status) => status !== '200')).toEqual(['429']);
    expect((await bff.rows('journal')).length - before).toBe(writeLimits.export.atOnce);
  });

  it('leaves reads, other accounts and signing out as they were', async () => {
    const bff = await limited();
    const [viewer, other] = [await bff.signIn('viewer'), await bff.signIn('support')];
    const flooded = await flood(() => viewer.ask('POST', '/bff/views', {}), writeLimits.write.atOnce);
    expect(flooded).toEqual([tooMany]);
    expect(await outcomeOf(viewer.ask('GET', '/bff/activity'))).toBe('200');
    expect(await outcomeOf(viewer.ask('PUT', '/bff/recent-subscribers/7'))).toBe('204');
    expect(await outcomeOf(other.ask('POST', '/bff/views', {}))).toBe('422 invalid-input');
    expect(await outcomeOf(viewer.ask('DELETE', '/bff/session'))).toBe('204');
  });

  it('limits sign-ins that succeed, since each is an entry of the journal', async () => {
    const bff = await limited();
    const outcomes: string[] = [];
    for (let count = 0; count <= writeLimits.signIn.atOnce; count += 1)
      outcomes.push(await outcomeOf(trySignIn(bff, 'viewer')));
    expect(outcomes.filter((outcome) => outcome !== '200')).toEqual([tooMany]);
    expect(outcomes.at(-1)).toBe(tooMany);
    const entries = (await bff.rows('journal')).filter(({ operation }) => operation === 'signIn');
    expect(entries).toHaveLength(writeLimits.signIn.atOnce);
    expect(await outcomeOf(trySignIn(bff, 'support'))).toBe('200');
  });

  it('is endless where the operator wants no limits', async () => {
    const bff = await createTestDesk({ service: 'canned' });
    const viewer = await bff.signIn('viewer');
    const { atOnce } = writeLimits.write;
    expect(await flood(() => viewer.ask('POST', '/bff/views', {}), atOnce)).toEqual([]);
  });
});
