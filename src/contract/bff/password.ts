import '../http/zod-config.ts';
import * as z from 'zod/mini';

/**
 * Length of a new password, in UTF-16 units. NIST SP 800-63B-4 asks for 15 where the password is the
 * only factor.
 */
export const newPasswordLength = { least: 15, most: 128 } as const;

/** For how many hours a one-time password is valid: somebody else has seen it. */
export const oneTimePasswordHours = 24;

const rightLength = `Choose ${newPasswordLength.least} to ${newPasswordLength.most} characters.`;

const newPassword = z
  .string()
  .check(z.minLength(newPasswordLength.least, rightLength), z.maxLength(newPasswordLength.most, rightLength));

/** A user changes their own password; the current one proves that it is them. */
export const ChangePasswordBody = z.strictObject({
  password: z
    .string()
    .check(
      z.minLength(1, 'Enter your present password.'),
      z.maxLength(newPasswordLength.most, `Use at most ${newPasswordLength.most} characters.`),
    ),
  newPassword,
});
export type ChangePasswordBody = z.infer<typeof ChangePasswordBody>;

/** What is wrong with a new password for the account of this name, or null. */
export function newPasswordFault(password: string, name: string): string | null {
  if (!newPassword.safeParse(password).success) return rightLength;
  const bare = bareOf(password);
  const own = bareOf(name);
  // A name of one or two letters is part of many good passwords.
  const beside = own.length > 2 ? bare.replaceAll(own, '') : bare;
  if (beside !== bare && beside.length < leastBeside)
    return 'This is little more than the name. Choose another.';
  return isObvious(bare) ? 'This is one of the first that anybody would try. Choose another.' : null;
}

/** Characters that must be left of a password without the name or the usual words. */
const leastBeside = 6;

/** Without case and without the signs between letters; a password of signs alone stays as it is. */
function bareOf(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]/gu, '') || plain;
}

/** The passwords that attackers guess first. A list of leaked passwords would be half the size of the program. */
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

/** One piece of up to eight characters, over and over. */
function isRepetition(bare: string): boolean {
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8].filter((size) => size < bare.length);
  return sizes.some((size) => bare.slice(0, size).repeat(bare.length).startsWith(bare));
}
