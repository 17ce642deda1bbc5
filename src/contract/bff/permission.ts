import type { Endpoint } from '../http/endpoint.ts';
import type { OperationName } from '../service/api.ts';

export const roles = ['viewer', 'support', 'manager'] as const;
export type Role = (typeof roles)[number];

/** The operations of the service that the BFF calls with its token. */
export type UpstreamOperation = Exclude<OperationName, 'issueToken'>;

/** Those of them that staff can use. The BFF alone counts, for everybody. */
export type StaffOperation = Exclude<UpstreamOperation, 'getStatistics'>;

/** The lowest role that has each permission; the roles above it have it too. */
const leastRole = {
  listSubscribers: 'viewer',
  getSubscriber: 'viewer',
  getSubscriberByToken: 'viewer',
  listStatuses: 'viewer',
  createSubscriber: 'support',
  updateSubscriber: 'support',
  regenerateToken: 'support',
  deleteSubscriber: 'manager',
  /** Get the access token of a subscriber by `revealToken`. All lists and records mask it. */
  seeAccessToken: 'support',
  listActivity: 'viewer',
  /** See the last record of deleted subscribers, and what was done to them. */
  seeDeletedSubscribers: 'support',
  /** The operation that an undo makes needs its own permission as well. */
  undoChange: 'support',
  /** Change many subscribers at once. Each operation needs its own permission as well. */
  runJobs: 'manager',
  /** Take all subscribers of a list away as a file. */
  exportSubscribers: 'manager',
  /** Save views for everybody, and change those that are shared. */
  shareViews: 'manager',
  /** Edit the messages that everybody copies for subscribers. */
  manageMessages: 'manager',
  /** See the entries of all users, not only those of one subscriber. */
  seeAllActivity: 'manager',
  listStaff: 'manager',
  addStaff: 'manager',
  changeStaff: 'manager',
  endStaffSessions: 'manager',
  resetStaffPassword: 'manager',
} as const satisfies Record<StaffOperation, Role> & Record<string, Role>;

/** What a role decides about. */
export type Permission = keyof typeof leastRole;
export const permissions = Object.keys(leastRole) as Permission[];

/** A row of the BFF's tables. Only its row decides whether a request is allowed. */
export interface BffEndpoint extends Endpoint {
  readonly access: 'public' | 'signed-in' | Permission;
  /** Also allowed to a user who signed in with a one-time password and has not replaced it yet. */
  readonly oneTimePassword?: true;
  /**
   * Also allowed to a user who has to set up a second factor first. What one-time passwords open is open to them as well.
   */
  readonly withoutSecondFactor?: true;
  /** What its account has only so much of. Without one, a GET is a `read`, unless it streams, and the rest takes nothing. */
  readonly budget?: Budget;
}

/** `list`: a read that can keep a database busy for a while; `tokenSearch`: a read of which only misses count. */
export type Budget = 'read' | 'list' | 'tokenSearch';

export function budgetOf({ method, streamed, budget }: Omit<BffEndpoint, 'answer'>): Budget | null {
  return budget ?? (method === 'GET' && !streamed ? 'read' : null);
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
  seeAccessToken: 'see access tokens',
  listActivity: 'see activity',
  seeDeletedSubscribers: 'see deleted subscribers',
  undoChange: 'undo changes',
  runJobs: 'change many subscribers at once',
  exportSubscribers: 'export subscribers',
  shareViews: 'change shared views',
  manageMessages: 'change messages',
  seeAllActivity: 'see the activity of other people',
  listStaff: 'see staff accounts',
  addStaff: 'add staff accounts',
  changeStaff: 'change staff accounts',
  endStaffSessions: 'sign other people out',
  resetStaffPassword: 'reset passwords',
};

/** The sentence for a user whose role does not have a permission. */
export function whyNot(permission: Permission): string {
  const subject = { viewer: 'Only staff can', support: 'Viewers cannot', manager: 'Only managers can' };
  return `${subject[leastRole[permission]]} ${activities[permission]}.`;
}
