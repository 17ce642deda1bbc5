import type { Endpoint } from '../http/endpoint.ts';
import type { OperationName } from '../service/api.ts';

export const roles = ['viewer', 'support', 'manager'] as const;
export type Role = (typeof roles)[number];

/** The operations of the service that staff reach: all but the one by which the BFF itself signs in. */
export type StaffOperation = Exclude<OperationName, 'issueToken'>;

/** The least role that may do each thing; the roles above it may too. */
const leastRole = {
  listSubscribers: 'viewer',
  getSubscriber: 'viewer',
  getSubscriberByToken: 'viewer',
  listStatuses: 'viewer',
  createSubscriber: 'support',
  updateSubscriber: 'support',
  regenerateToken: 'support',
  deleteSubscriber: 'manager',
  /** Whole and not masked, in every answer. */
  seeAccessToken: 'support',
  listActivity: 'viewer',
  /** What an undo does needs its own permission as well. */
  undoChange: 'support',
  /** Also entries of other users that are not about one subscriber. */
  seeAllActivity: 'manager',
  listStaff: 'manager',
  addStaff: 'manager',
  changeStaff: 'manager',
  endStaffSessions: 'manager',
  resetStaffPassword: 'manager',
} as const satisfies Record<StaffOperation, Role> & Record<string, Role>;

/** Everything that a role decides about. */
export type Permission = keyof typeof leastRole;
export const permissions = Object.keys(leastRole) as Permission[];

/** A row of the BFF's tables. The BFF allows a request by its row alone. */
export interface BffEndpoint extends Endpoint {
  readonly access: 'public' | 'signed-in' | Permission;
  /** Also open to a user who signed in with a one-time password and has not replaced it yet. */
  readonly oneTimePassword?: true;
}

export function may(role: Role, permission: Permission): boolean {
  return roles.indexOf(role) >= roles.indexOf(leastRole[permission]);
}

export function allowedTo(role: Role): Permission[] {
  return permissions.filter((permission) => may(role, permission));
}

const activities: Readonly<Record<Permission, string>> = {
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
  const subject = {
    viewer: 'Only staff',
    support: 'Only support staff and managers',
    manager: 'Only managers',
  };
  return `${subject[leastRole[permission]]} can ${activities[permission]}. Ask a manager.`;
}
