import { beforeEach, describe, expect, it } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { nameKey } from '../../../src/bff/staff/name-key.ts';
import { addStaff, findStaff } from '../../../src/bff/staff/store.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { password } from '../../support/bff/browser.ts';
import { manage, statusOfSignIn } from '../../support/bff/person.ts';

/** Each looks like `viewer` on the screen. */
const lookAlikes = [
  'vie\u200Bwer',
  '\u2060viewer',
  'viewer\u00AD',
  'v\uFE0Fiewer',
  'vi\u034Fewer',
  'view\u{E0061}er',
  'ｖiewer',
  'VIEWER',
];

describe('a name that looks like another', () => {
  let bff: TestDesk;

  beforeEach(async () => {
    bff = await createTestDesk();
  });

  it.each(lookAlikes)('is taken: %j', async (name) => {
    const manager = await manage(bff);
    const answer = await manager.ask('POST', '/bff/staff', { name, role: 'manager' });
    expect([answer.status, (await answer.json()).errors]).toEqual([422, { name: [expect.any(String)] }]);
    expect(await manager.list()).toHaveLength(4);
  });

  it('signs in to the account that it looks like, so that guesses are counted there', async () => {
    expect(await statusOfSignIn(bff, 'vie\u200Bwer')).toBe(200);
    expect(await statusOfSignIn(bff, '\u200B')).toBe(401);
  });
});

describe('the key of a name', () => {
  it.each([
    ['Åsa', 'åsa'],
    ['A\u030Asa', 'åsa'],
    ['a\u034F\u030Asa', 'åsa'],
    ['Kari  Nordmann', 'kari nordmann'],
    ['Kari\u00A0\u2800Nordmann ', 'kari nordmann'],
    ['\u3164', ''],
  ])('folds %j to %j', (name, key) => {
    expect(nameKey(name)).toBe(key);
  });

  it('is its own key', () => {
    for (const name of [...lookAlikes, 'İstanbul', 'ﬁn', 'ΑΣ\u200B', '가\u115F'])
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
  });
});

describe('the migration of names', () => {
  it('gives accounts their key, and the later one of two that look alike another name', async () => {
    const { db, deps } = await createTestDesk({ staff: {} });
    const names = ['Kari', 'Ola\u200B', 'ka\u200Bri', 'kari (2)'];
    for (const name of names) {
      deps.clock = () => names.indexOf(name);
      await addStaff(deps, { name: `n${names.indexOf(name)}`, role: 'viewer', password });
      const asBefore = { name, name_key: name.normalize('NFKC').toLowerCase() };
      await db
        .updateTable('staff')
        .set(asBefore)
        .where('name', '=', `n${names.indexOf(name)}`)
        .execute();
    }
    await bffMigrations['0010-name-keys']?.up(db);
    const rows = await db.selectFrom('staff').select(['name', 'name_key']).orderBy('created_at').execute();
    expect(rows).toEqual([
      { name: 'Kari', name_key: 'kari' },
      { name: 'Ola\u200B', name_key: 'ola' },
      { name: 'ka\u200Bri (3)', name_key: 'kari (3)' },
      { name: 'kari (2)', name_key: 'kari (2)' },
    ]);
    expect((await findStaff(db, 'ola'))?.name).toBe('Ola\u200B');
  });
});
