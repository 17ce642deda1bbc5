import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { characters, plainText } from '../http/text.ts';
import { PasskeyAssertion } from './passkey.ts';
import { newPasswordLength } from './password.ts';
import { Code } from './second-factor.ts';
import { staffNameLength } from './staff.ts';

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
