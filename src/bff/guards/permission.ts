import { may, whyNot, type Role, type StaffOperation } from '../../contract/permission.ts';
import { Refusal } from '../../contract/problem.ts';

/** Refuses what a role may not do, with the sentence that the dashboard shows as well. */
export function checkPermission(role: Role, operation: StaffOperation): void {
  if (!may(role, operation)) throw new Refusal('not-allowed', whyNot(operation));
}
