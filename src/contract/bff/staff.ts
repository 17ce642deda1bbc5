import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { visibleName } from '../service/rules.ts';
import { roles } from './permission.ts';

/** Characters of the name that a user signs in with. */
export const staffNameLength = 64;

export const StaffName = visibleName('Enter a name.', staffNameLength);
const role = z.enum(roles, 'Choose a role.');

/** A staff account. It is never deleted, only disabled, because the journal refers to it. */
export const StaffMember = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  disabled: z.boolean(),
  /** Whether the OpenID provider signs it in and decides its role; it has no local password. */
  singleSignOn: z.boolean(),
  /** Whether its password is a one-time one that a manager knows. */
  mustChangePassword: z.boolean(),
  /** In UTC; null for an account that nobody has signed in with yet. */
  lastSignInAt: z.nullable(z.string()),
});
export type StaffMember = z.infer<typeof StaffMember>;

/** An account and its one-time password, of which only the hash is stored. */
export const StaffWithPassword = z.object({ staff: StaffMember, oneTimePassword: z.string() });
export type StaffWithPassword = z.infer<typeof StaffWithPassword>;

export const StaffId = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/, 'No account has this id.')),
});

export const AddStaffBody = z.strictObject({ name: StaffName, role });
export type AddStaffBody = z.infer<typeof AddStaffBody>;

/** What is left out stays as it is. */
export const ChangeStaffBody = z.partial(z.strictObject({ role, disabled: z.boolean() }));
export type ChangeStaffBody = z.infer<typeof ChangeStaffBody>;
