import { describe, expect, test } from 'vitest';
import { addStaff, hasStaff } from '../../../src/bff/staff/store.ts';
import { openBff, password, publicUrl } from '../../support/bff/bff.ts';
import { ask } from '../../support/bff/browser.ts';

describe('staff', () => {
  test('are none at first and then some', async () => {
    const { db, deps } = await openBff();
    expect(await hasStaff(db)).toBe(false);
    await addStaff(deps, { name: 'ann', role: 'manager', password });
    expect(await hasStaff(db)).toBe(true);
  });

  test('have their password kept as its hash', async () => {
    const { db, deps } = await openBff();
    await addStaff(deps, { name: 'ann', role: 'manager', password });
    const rows = await db.selectFrom('staff').selectAll().execute();
    expect(rows).toMatchObject([{ name: 'ann', role: 'manager', disabled: 0, created_at: deps.clock() }]);
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  test.each(['ann', 'ANN', ' ann ', 'ａnn'])(
    'are told apart by more than case and blanks (%j)',
    async (name) => {
      const { deps } = await openBff();
      await addStaff(deps, { name: 'ann', role: 'manager', password });
      const second = addStaff(deps, { name, role: 'viewer', password });
      await expect(second).rejects.toMatchObject({
        code: 'invalid-input',
        particulars: { errors: { name: [expect.any(String)] } },
      });
    },
  );

  test.each([
    [14, false],
    [15, true],
    [128, true],
    [129, false],
  ])('with a password of %i characters: %s', async (length, taken) => {
    const { db, deps } = await openBff();
    await addStaff(deps, { name: 'ann', role: 'viewer', password: 'é'.repeat(length) }).catch(
      () => undefined,
    );
    expect(await hasStaff(db)).toBe(taken);
  });

  test('sign in with the longest password there can be', async () => {
    const { deps, fetch } = await openBff();
    const long = 'é'.repeat(128);
    await addStaff(deps, { name: 'ann', role: 'viewer', password: long });
    const body = { name: 'ann', password: long };
    expect((await fetch(ask('POST', '/bff/session', { body, base: publicUrl }))).status).toBe(200);
  });
});
