import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { idOf } from '../http/shapes.ts';
import { visibleName } from '../http/text.ts';
import { roles } from './permission.ts';

/** The longest name that a user can sign in with, in characters. */
export const staffNameLength = 64;

const hidden = /[^\P{Cf}\u200C\u200D]/u;

/** No format characters, by which a name can look like another; only the joiners that Persian and Indic names need. */
export const StaffName = visibleName('Enter a name.', staffNameLength).check(
  z.refine((name) => !hidden.test(name), 'Remove invisible characters.'),
);
const role = z.enum(roles, 'Choose a role.');

/** A staff account. It is never deleted, only disabled, because the journal refers to it. */
export const StaffMember = z.object({
  id: z.string(),
  name: z.string(),
  /** Null where the OpenID provider gives none any more: nobody can sign in with it. */
  role: z.nullable(z.enum(roles)),
  disabled: z.boolean(),
  /** True if the OpenID provider signs the account in and decides its role. It then has no local password. */
  singleSignOn: z.boolean(),
  /** True if its OpenID provider is not the one that is set up here: nobody can sign in with it. */
  otherProvider: z.boolean(),
  /** True if its password is a one-time password, which a manager has seen. */
  mustChangePassword: z.boolean(),
  /** True if it needs a second factor to sign in. The requirements of single sign-on are not known here. */
  secondFactor: z.boolean(),
  /** In UTC; null if nobody has signed in with the account yet. */
  lastSignInAt: z.nullable(z.string()),
});
export type StaffMember = z.infer<typeof StaffMember>;

/** An account and its one-time password. Only the password's hash is stored. */
export const StaffWithPassword = z.object({
  staff: StaffMember,
  oneTimePassword: z.string(),
  /** Number of passkeys. Each opens it again once a password is chosen, also one that an intruder has added. */
  passkeys: z.int(),
});
export type StaffWithPassword = z.infer<typeof StaffWithPassword>;

export const StaffId = z.object({ id: idOf('an account') });

export const AddStaffBody = z.strictObject({ name: StaffName, role });
export type AddStaffBody = z.infer<typeof AddStaffBody>;

/** Fields that are left out stay as they are. */
export const ChangeStaffBody = z.partial(z.strictObject({ role, disabled: z.boolean() }));
export type ChangeStaffBody = z.infer<typeof ChangeStaffBody>;
