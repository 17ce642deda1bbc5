import type { Endpoint } from '../http/endpoint.ts';
import type { OperationName } from '../service/api.ts';

export const roles = ['viewer', 'support', 'manager'] as const;
export type Role = (typeof roles)[number];

/** The operations of the service that the BFF calls with its token. */
export type UpstreamOperation = Exclude<OperationName, 'issueToken'>;

/** Those of them that staff can use. The BFF alone counts, for everybody. */
export type StaffOperation = Exclude<UpstreamOperation, 'getStatistics'>;

type Row = readonly [leastRole: Role, activity: string];

/** The lowest role that has each permission, as the roles above it do too; and what it is for, as in “Only managers can …”. */
const permissionTable = {
  listSubscribers: ['viewer', 'list subscribers'],
  getSubscriber: ['viewer', 'see subscribers'],
  getSubscriberByToken: ['viewer', 'find subscribers by token'],
  listStatuses: ['viewer', 'list statuses'],
  createSubscriber: ['support', 'create subscribers'],
  updateSubscriber: ['support', 'change subscribers'],
  regenerateToken: ['support', 'regenerate access tokens'],
  deleteSubscriber: ['manager', 'delete subscribers'],
  /** Get the access token of a subscriber by `revealToken`. All lists and records mask it. */
  seeAccessToken: ['support', 'see access tokens'],
  listActivity: ['viewer', 'see activity'],
  seeDeletedSubscribers: ['support', 'see deleted subscribers'],
  /** The operation that an undo makes needs its own permission as well. */
  undoChange: ['support', 'undo changes'],
  /** Change many subscribers at once. Each operation needs its own permission as well. */
  runJobs: ['manager', 'change many subscribers at once'],
  exportSubscribers: ['manager', 'export subscribers'],
  shareViews: ['manager', 'change shared views'],
  manageMessages: ['manager', 'change messages'],
  saveBundles: ['manager', 'change bundles'],
  seeAllActivity: ['manager', 'see the activity of other people'],
  listStaff: ['manager', 'see staff accounts'],
  addStaff: ['manager', 'add staff accounts'],
  changeStaff: ['manager', 'change staff accounts'],
  endStaffSessions: ['manager', 'sign other people out'],
  resetStaffPassword: ['manager', 'reset passwords'],
} as const satisfies Record<StaffOperation, Row> & Record<string, Row>;

/** A permission that a role grants or not. */
export type Permission = keyof typeof permissionTable;
export const permissions = Object.keys(permissionTable) as Permission[];

/** A row of the BFF's tables. Only its row decides whether a request is allowed. */
export interface BffEndpoint extends Endpoint {
  readonly access: 'public' | 'signed-in' | Permission;
  /** Also allowed to a user who signed in with a one-time password and has not replaced it yet. */
  readonly oneTimePassword?: true;
  /**
   * Also allowed to a user who has to set up a second factor first. What one-time passwords open is open to them as well.
   */
  readonly withoutSecondFactor?: true;
  /** Asks for a sign-in of the last five minutes, always or for some input: a screen left open must not be enough. */
  readonly proof?: true | ProofRule;
  /** The budget of a request; null for what is always open. By default a GET is a `read`, all else a `write`. */
  readonly budget?: Budget | null;
}

/** Sees the input that the row describes. A method, so that each row names its own input. */
type ProofRule = { asks(input: { body?: unknown; query?: unknown }): boolean }['asks'];

/** `list`: a read that can keep a database busy for a while; `tokenSearch`: a read of which only misses count. */
export type ReadBudget = 'read' | 'list' | 'tokenSearch';

/**
 * `write`: what people press; `note`: what the page stores by itself; `part`: a part of a file; `job`: what a job is made
 * of; `export`: data that is taken away; `password`: a new password, which is hashed. `signIn` is no row's: whose sign-in
 * it is, shows only when it is right.
 */
export type WriteBudget = 'write' | 'note' | 'part' | 'job' | 'export' | 'password' | 'signIn';
export type Budget = ReadBudget | WriteBudget;

export function budgetOf({ method, budget }: Omit<BffEndpoint, 'answer'>): Budget | null {
  if (budget !== undefined) return budget;
  return method === 'GET' ? 'read' : 'write';
}

export function may(role: Role, permission: Permission): boolean {
  return roles.indexOf(role) >= roles.indexOf(permissionTable[permission][0]);
}

export function allowedTo(role: Role): Permission[] {
  return permissions.filter((permission) => may(role, permission));
}

/** The sentence for a user whose role does not have a permission. */
export function disabledReason(permission: Permission): string {
  const subject = { viewer: 'Only staff can', support: 'Viewers can’t', manager: 'Only managers can' };
  const [leastRole, activity] = permissionTable[permission];
  return `${subject[leastRole]} ${activity}.`;
}
