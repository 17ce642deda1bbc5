import { beforeEach, describe, expect, it, test } from 'vitest';
import { failuresInARow } from '../../../src/bff/auth/sign-in-record.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import type { EntryKind, EventEntry } from '../../../src/contract/bff/journal.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { password } from '../../support/bff/browser.ts';
import { manage, statusOfSignIn } from '../../support/bff/person.ts';
import { openBrowser, openSingleSignOn, signInByProvider } from '../../support/bff/single-sign-on.ts';

const minute = 60_000;

/** Sentences of the journal on a kind, oldest first: who did what to whom. */
async function reported(desk: Pick<TestDesk, 'signIn'>, kind: EntryKind) {
  const manager = await desk.signIn('manager');
  const { items } = (await manager.bff.listActivity({ query: { kind, pageSize: 200 } })).data;
  return (items as EventEntry[]).toReversed().map(({ staff, operation, account, details, outcome }) => ({
    who: staff.name || staff.id,
    what: operation,
    ...(account && { whom: account.name }),
    ...details,
    ...(outcome !== 'done' && { outcome }),
  }));
}

describe('the work of a manager on accounts', () => {
  let desk: TestDesk;
  let manager: Awaited<ReturnType<typeof manage>>;
  beforeEach(async () => {
    desk = await createTestDesk();
    manager = await manage(desk);
  });

  it('is recorded with who, whom, and what was before', async () => {
    await manager.add('newcomer', 'viewer');
    await manager.change('newcomer', { role: 'support' });
    await manager.change('newcomer', { disabled: true });
    await manager.change('newcomer', { disabled: false, role: 'viewer' });
    await manager.reset('newcomer');
    await desk.signIn('support');
    await manager.endSessions('support');
    const by = { who: 'manager', whom: 'newcomer' };
    expect(await reported(desk, 'staff')).toEqual([
      { ...by, what: 'addStaff', role: { before: null, after: 'viewer' } },
      { ...by, what: 'changeStaff', role: { before: 'viewer', after: 'support' } },
      { ...by, what: 'changeStaff', disabled: true },
      { ...by, what: 'changeStaff', role: { before: 'support', after: 'viewer' }, disabled: false },
      { ...by, what: 'resetStaffPassword' },
      { ...by, whom: 'support', what: 'endStaffSessions', sessions: 1 },
    ]);
    expect(await verifyJournal(desk.db, createMac(journalKey))).not.toHaveProperty('fault');
  });

  it('is not recorded if it is refused, or changes nothing', async () => {
    const { id = '' } = (await manager.find('manager')) ?? {};
    const answers = [
      await manager.ask('POST', '/bff/staff', { name: 'viewer', role: 'viewer' }),
      await manager.ask('POST', '/bff/staff', { name: 'x', role: 'owner' }),
      await manager.ask('PUT', '/bff/staff/nobody', { disabled: true }),
      await manager.change('manager', { disabled: true }),
      await manager.ask('POST', `/bff/staff/${id}/one-time-password`),
      await manager.ask('DELETE', '/bff/staff/nobody/sessions'),
      await manager.ask('POST', '/bff/staff/nobody/one-time-password'),
      await manager.change('viewer', { name: 'x' }),
      await (await desk.signIn('support')).ask('PUT', `/bff/staff/${id}`, { role: 'viewer' }),
      await manager.change('viewer', { role: 'viewer', disabled: false }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 404, 409, 403, 404, 404, 422, 403, 200]);
    expect(await reported(desk, 'staff')).toEqual([]);
  });

  it('is not done if it cannot be recorded', async () => {
    const { id = '' } = (await manager.find('support')) ?? {};
    await desk.signIn('support');
    const before = await desk.db.selectFrom('staff').selectAll().orderBy('id').execute();
    const sessions = await desk.db.selectFrom('sessions').select('key').orderBy('key').execute();
    await desk.db.schema.dropTable('journal_head').execute();
    const answers = [
      await manager.ask('POST', '/bff/staff', { name: 'newcomer', role: 'manager' }),
      await manager.ask('PUT', `/bff/staff/${id}`, { role: 'manager' }),
      await manager.ask('POST', `/bff/staff/${id}/one-time-password`),
      await manager.ask('DELETE', `/bff/staff/${id}/sessions`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    expect(await desk.db.selectFrom('staff').selectAll().orderBy('id').execute()).toEqual(before);
    expect(await desk.db.selectFrom('sessions').select('key').orderBy('key').execute()).toEqual(sessions);
  });
});

describe('a sign-in', () => {
  let desk: TestDesk;
  beforeEach(async () => {
    desk = await createTestDesk({ random: createSeededRandom(5).bytes });
  });
  const fail = (name: string, times: number, wrong = 'wrong') =>
    Promise.all(Array.from({ length: times }, () => statusOfSignIn(desk, name, wrong)));
  /** Without those of who looks. */
  const signIns = async () => (await reported(desk, 'sign-in')).filter(({ who }) => who !== 'manager');
  const since = () => new Date(desk.time.now).toISOString();

  it('is recorded, and so is another password of one’s own', async () => {
    const support = await desk.signIn('support');
    await support.ask('PUT', '/bff/password', { password, newPassword: 'nine tired otters sing' });
    expect(await signIns()).toEqual([
      { who: 'support', what: 'signIn', way: 'password' },
      { who: 'support', what: 'changePassword' },
    ]);
  });

  it('is one entry of several failures in a row, before the one that succeeded', async () => {
    const began = since();
    await fail('support', 3);
    desk.time.now += minute;
    await fail('SUPPORT', 2);
    desk.time.now += minute;
    await desk.signIn('support');
    await fail('support', 1);
    await desk.signIn('support');
    const failed = { who: 'support', what: 'signIn', outcome: 'refused' };
    const succeeded = { who: 'support', what: 'signIn', way: 'password' };
    expect(await signIns()).toEqual([
      { ...failed, times: 5, since: began },
      succeeded,
      { ...failed, times: 1, since: since() },
      succeeded,
    ]);
  });

  it('is counted with all others under a name that no account has, and the name is kept nowhere', async () => {
    for (const name of ['canary-password', 'nobody', 'x'.repeat(64)]) await fail(name, 2, 'canary-wrong');
    const rows = [await desk.rows('failed_sign_ins'), await desk.rows('journal')];
    expect(JSON.stringify(rows)).not.toContain('canary');
    const began = since();
    desk.time.now += failuresInARow.quiet;
    await desk.runMaintenance();
    expect(await signIns()).toEqual([
      { who: 'unknown', what: 'signIn', times: 6, since: began, outcome: 'refused' },
    ]);
  });

  it('is recorded as failed once there was no failure for five minutes, or the first was half an hour ago', async () => {
    const began = since();
    await fail('support', 1);
    for (let passed = 4; passed < 30; passed += 4) {
      desk.time.now += 4 * minute;
      await fail('support', 1);
      await desk.runMaintenance();
      expect(await desk.db.selectFrom('journal').select('id').execute()).toEqual([]);
    }
    desk.time.now += 2 * minute;
    await desk.runMaintenance();
    expect(await signIns()).toEqual([
      { who: 'support', what: 'signIn', times: 8, since: began, outcome: 'refused' },
    ]);
  });

  it('is recorded once as failed by two servers, whatever the clock of one does', async () => {
    const other = desk.openReplica();
    desk.time.now += 500 * 24 * 60 * minute;
    await fail('support', 2);
    desk.time.now -= 500 * 24 * 60 * minute;
    await Promise.all([desk.runMaintenance(), other.runMaintenance()]);
    const failed = { who: 'support', what: 'signIn', times: 2, since: since(), outcome: 'refused' };
    expect(await signIns()).toEqual([failed]);
    expect(await desk.rows('failed_sign_ins')).toEqual([]);
  });

  it('opens no session if it cannot be recorded', async () => {
    await desk.db.schema.dropTable('journal_head').execute();
    expect(await statusOfSignIn(desk, 'support')).toBe(500);
    expect(await desk.rows('sessions')).toEqual([]);
  });
});

test('maintenance logs that failures cannot be recorded, and goes on', async () => {
  const desk = await createTestDesk();
  await desk.db.schema.dropTable('failed_sign_ins').execute();
  await desk.runMaintenance();
  expect(desk.logs).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'sign-in-maintenance-failed' }),
  );
});

describe('the journal of single sign-on', () => {
  it('records accounts that it adds, sign-ins, and roles that it changes or withdraws', async () => {
    const desk = await openSingleSignOn({}, 'viewer');
    await signInByProvider(desk.browser);
    for (const roles of ['support', 'none', 'viewer']) {
      desk.provider.people['sub-1'] = { preferred_username: 'canary-kari', roles };
      await signInByProvider(openBrowser(desk.fetch));
    }
    const manager = await manage(desk);
    await manager.change('canary-kari', { disabled: true });
    await signInByProvider(openBrowser(desk.fetch));
    desk.time.now += failuresInARow.quiet;
    await desk.runMaintenance();
    const kari = { who: 'canary-kari', whom: 'canary-kari', way: 'single-sign-on' };
    expect(await reported(desk, 'staff')).toEqual([
      { ...kari, what: 'addStaff', role: { before: null, after: 'viewer' } },
      { ...kari, what: 'changeStaff', role: { before: 'viewer', after: 'support' } },
      { ...kari, what: 'changeStaff', role: { before: 'support', after: null } },
      { ...kari, what: 'changeStaff', role: { before: null, after: 'viewer' } },
      { who: 'manager', whom: 'canary-kari', what: 'changeStaff', disabled: true },
    ]);
    const signIns = (await reported(desk, 'sign-in')).filter(({ who }) => who === 'canary-kari');
    expect(signIns.map(({ way, times }) => way ?? times)).toEqual([
      'single-sign-on',
      'single-sign-on',
      1,
      'single-sign-on',
      1,
    ]);
  });
});
