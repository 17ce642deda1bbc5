import type { StaffMember } from '../../contract/bff/staff.ts';

/** What a dialog about an account is given; `own` where it is that of the person at the screen. */
export interface StaffDialogProps {
  member: StaffMember;
  own: boolean;
  onClose: () => void;
}
