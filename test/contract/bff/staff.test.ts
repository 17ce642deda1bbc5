import { test } from 'vitest';
import { AddStaffBody } from '../../../src/contract/bff/staff.ts';
import { sentencesOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

test('the name of a staff account can be seen, breaks no line and turns no text', async () => {
  await expectOutcomes(
    {
      accepted: ['kari', ' Åsa ', 'محمد', 'n'.repeat(64)],
      'name: Use at least one visible character.': ['\u200B', '\u3164', '\u00AD'],
      'name: Remove line breaks and marks that change the direction of text.': ['a\u2028b', '\u202Eirak'],
    },
    (name) => sentencesOf(AddStaffBody, { name, role: 'viewer' }),
  );
});
