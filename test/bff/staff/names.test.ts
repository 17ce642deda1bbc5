import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../src/bff/staff/name-key.ts';
import { createTestDesk } from '../../support/desk.ts';
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
  it('is taken, and signs in to the account that it looks like, so that guesses are counted there', async () => {
    const bff = await createTestDesk();
    const manager = await manage(bff);
    for (const name of lookAlikes) {
      const answer = await manager.ask('POST', '/bff/staff', { name, role: 'manager' });
      const { errors }: { errors: object } = await answer.json();
      expect([answer.status, Object.keys(errors)], JSON.stringify(name)).toEqual([422, ['name']]);
    }
    expect(await manager.list()).toHaveLength(4);
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
