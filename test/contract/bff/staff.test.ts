import { test } from 'vitest';
import { AddStaffBody } from '../../../src/contract/bff/staff.ts';
import { sentencesOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

test('the name of a staff account can be seen, breaks no line and turns no text', async () => {
  await expectOutcomes(
    {
      accepted: ['kari', ' Åsa ', 'محمد', 'علی\u200Cرضا', 'n'.repeat(64)],
      'name: Use at least one visible character.': ['\u3164'],
      'name: Use at least one visible character. Remove invisible characters.': ['\u200B', '\u00AD'],
      'name: Remove line breaks and marks that change the direction of text.': ['a\u2028b'],
      'name: Remove line breaks and marks that change the direction of text. Remove invisible characters.': [
        '\u202Eirak',
      ],
      'name: Remove invisible characters.': ['Ing\u200Brid', 'Ing\u2060rid', 'Ingrid\u00AD'],
    },
    (name) => sentencesOf(AddStaffBody, { name, role: 'viewer' }),
  );
});
