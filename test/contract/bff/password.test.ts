import { describe, it } from 'vitest';
import { newPasswordFault } from '../../../src/contract/bff/password.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

describe('a new password', () => {
  it('is long, not easy to guess, and not close to the name', async () => {
    await expectOutcomes<string>(
      {
        accepted: [
          'nine tired otters sing',
          'correct-canary-gloves',
          'my password is a blue whale',
          '71829301748390217',
          'ÆØÅ æøå blåbærsyltetøy',
          '•‣◦⁃∙∘⦾⦿☙❥❧☘☀☁☂',
        ],
        'Use 15 to 128 characters.': ['', 'fourteen chars', 'é'.repeat(129)],
        'Too close to your name. Choose another password.': ['Kari.Nordmann.99', 'karinordmann-KARINORDMANN'],
        'Too easy to guess. Choose another password.': [
          'password-password',
          'Passwordpassword123456',
          'Subscriber-Desk-2026',
          'aaaaaaaaaaaaaaaa',
          'abcabcabcabcabcab',
          '1234567890123456',
          '0987654321098765',
          'abcdefghijklmnop',
          'qwerty uiop asdfgh',
          'correct horse battery staple',
          '!!!!!!!!!!!!!!!!',
        ],
      },
      (password) => newPasswordFault(password, 'Kari Nordmann') ?? 'accepted',
    );
  });

  it('may contain the name beside enough else', async () => {
    await expectOutcomes({ accepted: ['kari', 'jo'] }, (name) => {
      const password = `${name} ${name} ${name} otters at nine`;
      return newPasswordFault(password, name) ?? 'accepted';
    });
  });
});
