import * as z from 'zod/mini';
import '../http/zod-config.ts';
import { normalize } from '../../lib/text.ts';
import { characters, plainText } from '../http/text.ts';
import { PasskeyAssertion } from './passkey.ts';
import { Code } from './second-factor.ts';
import { staffNameLength } from './staff.ts';

/**
 * Length of a new password, in characters (code points). NIST SP 800-63B-4 asks for at least 15 if the password is the only factor.
 */
export const newPasswordLength = { least: 15, most: 128 } as const;

/** Validity of a one-time password, in hours. It is short because someone else has seen the password. */
export const oneTimePasswordHours = 24;

const lengthRule = `Use ${newPasswordLength.least} to ${newPasswordLength.most} characters.`;

const newPassword = z
  .string()
  .check(z.minLength(newPasswordLength.least, lengthRule), z.maxLength(newPasswordLength.most, lengthRule));

export const enterPassword = 'Enter your current password.';

/**
 * A user changes their own password; the current one proves that it is them. Who signed in with a one-time password may
 * leave it out: the sign-in has used it up.
 */
export const ChangePasswordBody = z.strictObject({
  password: z.optional(
    z
      .string()
      .check(
        z.minLength(1, enterPassword),
        z.maxLength(newPasswordLength.most, `Use at most ${newPasswordLength.most} characters.`),
      ),
  ),
  newPassword,
});
export type ChangePasswordBody = z.infer<typeof ChangePasswordBody>;

/** Says what is wrong with a new password for the account with this name; null if nothing is. */
export function newPasswordFault(password: string, name: string): string | null {
  if (!newPassword.safeParse(password).success) return lengthRule;
  const bare = bareOf(password);
  const own = bareOf(name);
  // A name of one or two letters is part of many good passwords.
  const beside = own.length > 2 ? bare.replaceAll(own, '') : bare;
  if (beside !== bare && beside.length < leastBeside)
    return 'Too close to your name. Choose another password.';
  return isObvious(bare) ? 'Too easy to guess. Choose another password.' : null;
}

/** Fewest characters of a password besides the name and the usual words. */
const leastBeside = 6;

/** Lower case, without the signs between letters. A password of signs alone stays as it is. */
function bareOf(text: string): string {
  const plain = normalize(text, 'NFKC').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]/gu, '') || plain;
}

/** True if attackers guess a password first. A list of leaked ones would be half as large as the program. */
function isObvious(bare: string): boolean {
  const beside = usualWords.reduce((text, word) => text.replaceAll(word, ''), bare);
  const wordy = beside !== bare && beside.replace(/\d/g, '').length < leastBeside;
  return wordy || isRepetition(bare) || rows.some((row) => row.includes(bare));
}

const usualWords = [
  'password',
  'passwort',
  'passord',
  'subscriber',
  'desk',
  'letmein',
  'welcome',
  'iloveyou',
  'admin',
  'manager',
  'correcthorsebatterystaple',
  'thequickbrownfox',
];

/** Keyboard rows and sequences, forwards and backwards, repeated. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '1234567890',
  '0123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
]
  .flatMap((row) => [row, [...row].toReversed().join('')])
  .map((row) => row.repeat(1 + Math.ceil(newPasswordLength.most / row.length)));

/** True if the text repeats one piece of up to eight characters. */
function isRepetition(bare: string): boolean {
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8].filter((size) => size < bare.length);
  return sizes.some((size) => bare.slice(0, size).repeat(bare.length).startsWith(bare));
}

/** The limits admit every password that can be set, and keep the cost of hashing one within bounds. */
export const Credentials = z.strictObject({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter your name.'), characters(staffNameLength), plainText),
  password: z
    .string()
    .check(
      z.minLength(1, 'Enter your password.'),
      z.maxLength(newPasswordLength.most, `Use at most ${newPasswordLength.most} characters.`),
    ),
  /** Needed where the account has a second factor. */
  code: z.optional(Code),
  /** Instead of a code. */
  passkey: z.optional(PasskeyAssertion),
});
export type Credentials = z.infer<typeof Credentials>;
