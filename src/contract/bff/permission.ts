import type { OperationName } from '../service/api.ts';

export const roles = ['viewer', 'support', 'manager'] as const;
export type Role = (typeof roles)[number];

/** The operations of the service that staff reach: all but the one by which the desk itself gets in. */
export type StaffOperation = Exclude<OperationName, 'issueToken'>;

/** Rows of the desk's own table that are not for everybody. */
export type StaffAdminOperation =
  | 'listStaff'
  | 'addStaff'
  | 'changeStaff'
  | 'endStaffSessions'
  | 'resetStaffPassword';

/** Rows of the desk's own table about the journal. What an undo does needs its own permission as well. */
export type JournalOperation = 'listActivity' | 'undoChange';

/** Everything that a role decides about; a token or everybody's activity seen whole is no request of its own. */
export type Permission =
  | StaffOperation
  | StaffAdminOperation
  | JournalOperation
  | 'seeAccessToken'
  | 'seeAllActivity';

/** The least role that may do each thing; the roles above it may too. */
const leastRole: Readonly<Record<Permission, Role>> = {
  listSubscribers: 'viewer',
  getSubscriber: 'viewer',
  getSubscriberByToken: 'viewer',
  listStatuses: 'viewer',
  createSubscriber: 'support',
  updateSubscriber: 'support',
  regenerateToken: 'support',
  deleteSubscriber: 'manager',
  seeAccessToken: 'support',
  listActivity: 'viewer',
  undoChange: 'support',
  seeAllActivity: 'manager',
  listStaff: 'manager',
  addStaff: 'manager',
  changeStaff: 'manager',
  endStaffSessions: 'manager',
  resetStaffPassword: 'manager',
};
export const permissions = Object.keys(leastRole) as Permission[];

export function may(role: Role, permission: Permission): boolean {
  return roles.indexOf(role) >= roles.indexOf(leastRole[permission]);
}

export function allowedTo(role: Role): Permission[] {
  return permissions.filter((permission) => may(role, permission));
}

const deeds: Readonly<Record<Permission, string>> = {
  listSubscribers: 'list subscribers',
  getSubscriber: 'see subscribers',
  getSubscriberByToken: 'find subscribers by token',
  listStatuses: 'list statuses',
  createSubscriber: 'create subscribers',
  updateSubscriber: 'change subscribers',
  regenerateToken: 'regenerate access tokens',
  deleteSubscriber: 'delete subscribers',
  seeAccessToken: 'see whole access tokens',
  listActivity: 'see activity',
  undoChange: 'undo changes',
  seeAllActivity: 'see the activity of others',
  listStaff: 'see staff accounts',
  addStaff: 'add staff accounts',
  changeStaff: 'change staff accounts',
  endStaffSessions: 'end the sessions of others',
  resetStaffPassword: 'give out new passwords',
};

/** The sentence that a person reads where something is not for them. */
export function whyNot(permission: Permission): string {
  const who = { viewer: 'Only staff', support: 'Only support staff and managers', manager: 'Only managers' };
  return `${who[leastRole[permission]]} can ${deeds[permission]}. Ask a manager.`;
}
