import { api, type OperationName } from './api.ts';

export const roles = ['viewer', 'support', 'manager'] as const;
export type Role = (typeof roles)[number];

/** What staff can be allowed: every operation but the one by which the desk itself gets in. */
export type StaffOperation = Exclude<OperationName, 'issueToken'>;

/** The least role that may do each operation; the roles above it may too. */
const leastRole: Readonly<Record<StaffOperation, Role>> = {
  listSubscribers: 'viewer',
  getSubscriber: 'viewer',
  getSubscriberByToken: 'viewer',
  listStatuses: 'viewer',
  createSubscriber: 'support',
  updateSubscriber: 'support',
  regenerateToken: 'support',
  deleteSubscriber: 'manager',
};

const { issueToken: _, ...staffRows } = api;

/** The rows of the endpoint table that staff reach through the desk. */
export const staffApi = staffRows satisfies Record<StaffOperation, unknown>;
export const staffOperations = Object.keys(staffApi) as StaffOperation[];

export function may(role: Role, operation: StaffOperation): boolean {
  return roles.indexOf(role) >= roles.indexOf(leastRole[operation]);
}

export function allowedTo(role: Role): StaffOperation[] {
  return staffOperations.filter((operation) => may(role, operation));
}

const deeds: Readonly<Record<StaffOperation, string>> = {
  listSubscribers: 'list subscribers',
  getSubscriber: 'see subscribers',
  getSubscriberByToken: 'find subscribers by token',
  listStatuses: 'list statuses',
  createSubscriber: 'create subscribers',
  updateSubscriber: 'change subscribers',
  regenerateToken: 'regenerate access tokens',
  deleteSubscriber: 'delete subscribers',
};

/** The sentence that a person reads where an operation is not for them. */
export function whyNot(operation: StaffOperation): string {
  const who = { viewer: 'Only staff', support: 'Only support staff and managers', manager: 'Only managers' };
  return `${who[leastRole[operation]]} can ${deeds[operation]}. Ask a manager.`;
}
