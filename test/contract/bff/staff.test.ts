import { describe, expect, test } from 'vitest';
import { AddStaffBody } from '../../../src/contract/bff/staff.ts';
import { faultsOf } from '../../support/contract/faults.ts';

const faultsOfName = (name: string) => faultsOf(AddStaffBody, { name, role: 'viewer' });

describe('the name of a staff account', () => {
  test.each(['kari', ' Åsa ', 'محمد', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', 'n'.repeat(64)])(
    'may be %j',
    (name) => {
      expect(faultsOfName(name)).toEqual({});
    },
  );

  test.each(['\u200B', '\u200D\u200D', '\u3164', '\u115F', '\u2800', '\uFE0F', '\u{E0020}', '\u00AD'])(
    'needs a character that can be seen (%j)',
    (name) => {
      expect(faultsOfName(name)).toEqual({ name: ['Use at least one visible character.'] });
    },
  );

  test.each(['a\u2028b', '\u202Eirak', 'kari\u2066', 'a\u200Fb', 'a\u061Cb'])(
    'breaks no line and turns no text (%j)',
    (name) => {
      expect(faultsOfName(name)).toEqual({
        name: ['Remove line breaks and marks that change the direction of text.'],
      });
    },
  );
});
