import { describe, expect, test } from 'vitest';
import { newPasswordFault } from '../../../src/contract/bff/password.ts';

const length = 'Use 15 to 128 characters.';
const name = 'Too close to your name. Choose another password.';
const obvious = 'Too easy to guess. Choose another password.';

describe('a new password', () => {
  test.each([
    ['nine tired otters sing', 'kari'],
    ['correct-canary-gloves', 'kari'],
    ['my password is a blue whale', 'kari'],
    ['71829301748390217', 'kari'],
    ['kari likes nine otters', 'kari'],
    ['jo jo jo otters at nine', 'jo'],
    ['ÆØÅ æøå blåbærsyltetøy', 'kari'],
    ['•‣◦⁃∙∘⦾⦿☙❥❧☘☀☁☂', 'kari'],
  ])('may be %j', (password, owner) => {
    expect(newPasswordFault(password, owner)).toBeNull();
  });

  test.each([
    ['', length],
    ['fourteen chars', length],
    ['é'.repeat(129), length],
    ['Kari.Nordmann.99', name],
    ['karinordmann-KARINORDMANN', name],
    ['password-password', obvious],
    ['Passwordpassword123456', obvious],
    ['Subscriber-Desk-2026', obvious],
    ['aaaaaaaaaaaaaaaa', obvious],
    ['abcabcabcabcabcab', obvious],
    ['1234567890123456', obvious],
    ['0987654321098765', obvious],
    ['abcdefghijklmnop', obvious],
    ['qwerty uiop asdfgh', obvious],
    ['correct horse battery staple', obvious],
    ['!!!!!!!!!!!!!!!!', obvious],
  ])('may not be %j', (password, why) => {
    expect(newPasswordFault(password, 'Kari Nordmann')).toBe(why);
  });
});
