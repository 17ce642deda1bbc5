import { apiBase } from '../../../src/contract/bff/paths.ts';
import { bffApi, type BffApi } from '../../../src/contract/bff/api.ts';
import type { Entered } from '../../../src/contract/bff/draft.ts';
import type { Endpoint } from '../../../src/contract/http/endpoint.ts';
import { permissions, type Permission, type StaffOperation } from '../../../src/contract/bff/permission.ts';
import { staffApi, staffOperations } from '../../../src/contract/bff/staff-api.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { credentialsOf } from './browser.ts';
import { password } from './desk.ts';

/** An address of the desk, with something valid to send there. */
export interface SampleRoute {
  name: string;
  method: Endpoint['method'];
  template: string;
  path: string;
  body?: unknown;
  permission: Permission | null;
  /** Whether it is carried on to the service. */
  goesUpstream: boolean;
}

/** Half typed. */
const entered: Entered = {
  ...createDefaults,
  username: 'canary-ann',
  email: '',
  expiresAt: '',
  maxConnections: null,
};
const input = { username: 'ann', email: 'ann@example.com', expiresAt: '2027-01-01T00:00:00Z' };

// Every name must stand here, so that a new row of a table does not compile until the tests know what to send.
const bodies: Record<keyof BffApi | StaffOperation, unknown> = {
  getSession: undefined,
  signIn: credentialsOf('manager'),
  signOut: undefined,
  getSignInWays: undefined,
  findByToken: { accessToken: 'some-token' },
  changePassword: { password, newPassword: 'canary-another-phrase' },
  getDraft: undefined,
  keepDraft: { values: entered, base: null },
  dropDraft: undefined,
  listViews: undefined,
  addView: { name: 'canary-view', query: { Expired: 'true' } },
  changeView: { name: 'canary-renamed' },
  deleteView: undefined,
  listStaff: undefined,
  addStaff: { name: 'canary-colleague', role: 'viewer' },
  changeStaff: { role: 'viewer' },
  endStaffSessions: undefined,
  resetStaffPassword: undefined,
  listActivity: undefined,
  undoChange: undefined,
  listSubscribers: undefined,
  getSubscriber: undefined,
  getSubscriberByToken: undefined,
  createSubscriber: input,
  updateSubscriber: { note: 'called' },
  deleteSubscriber: undefined,
  regenerateToken: undefined,
  listStatuses: undefined,
};

export const ownRoutes = Object.entries(bffApi).map(([name, row]) =>
  sample(
    name as keyof BffApi,
    row,
    '',
    name === 'findByToken' ? 'getSubscriberByToken' : (permissions.find((deed) => deed === name) ?? null),
  ),
);

export const apiRoutes = staffOperations
  .filter((name) => name !== 'getSubscriberByToken')
  .map((name) => sample(name, staffApi[name], apiBase, name));

export const everyRoute = [...ownRoutes, ...apiRoutes];

/** Those that ask who is there. */
export const closedRoutes = everyRoute.filter(({ name }) => !['signIn', 'getSignInWays'].includes(name));

function sample(
  name: keyof typeof bodies,
  row: Endpoint,
  base: string,
  permission: Permission | null,
): SampleRoute {
  const template = base + row.path;
  const body = bodies[name];
  return {
    name,
    method: row.method,
    template,
    path: template.replaceAll('{id}', '7'),
    permission,
    goesUpstream: name === 'undoChange' || staffOperations.some((operation) => operation === permission),
    ...(body !== undefined && { body }),
  };
}
