import { monitoringApi } from '../../../src/bff/health.ts';
import { bffApi, proxiedApi, type BffApi } from '../../../src/contract/bff/api.ts';
import type { Entered } from '../../../src/contract/bff/draft.ts';
import { apiBase } from '../../../src/contract/bff/paths.ts';
import { backChannel } from '../../../src/contract/bff/back-channel.ts';
import { navigations } from '../../../src/contract/bff/single-sign-on.ts';
import type { Endpoint } from '../../../src/contract/http/endpoint.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { credentialsOf, password } from './browser.ts';

/** A route of the BFF, with something valid to send there. */
export interface SampleRoute {
  name: string;
  method: Endpoint['method'];
  template: string;
  path: string;
  body?: unknown;
  /** Whether the service is called for it. */
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

const message = { occasion: 'extended', language: 'en', name: 'canary-message', text: 'canary {expires}' };

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };

// Every name is required, so that a new row of a table does not compile until the tests know what to send.
const bodies: Record<keyof BffApi | keyof typeof proxiedApi, unknown> = {
  getSession: undefined,
  getOverview: undefined,
  getOverviewChanges: undefined,
  signIn: credentialsOf('manager'),
  signOut: undefined,
  getSignInWays: undefined,
  getSubscriberByToken: { accessToken: 'some-token' },
  getFormerToken: { accessToken: 'some-token' },
  revealToken: undefined,
  changePassword: { password, newPassword: 'canary-another-phrase' },
  listSessions: undefined,
  endSession: undefined,
  endOtherSessions: undefined,
  getSecondFactor: undefined,
  setUpApp: { password },
  confirmApp: { setup: 'canary-setup', code: '123456' },
  removeApp: { password },
  renewRecoveryCodes: { password },
  startPasskey: { password },
  addPasskey: {
    ...credential,
    response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: [] },
  },
  removePasskey: { password },
  getPasskeyRequest: undefined,
  signInWithPasskey: {
    ...credential,
    response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
  },
  getDraft: undefined,
  keepDraft: { values: entered, base: null },
  dropDraft: undefined,
  listEditors: undefined,
  listRecentSubscribers: undefined,
  addRecentSubscriber: undefined,
  listViews: undefined,
  addView: { name: 'canary-view', query: { Expired: 'true' } },
  changeView: { name: 'canary-renamed' },
  deleteView: undefined,
  listMessages: undefined,
  addMessage: message,
  changeMessage: { ...message, version: 1 },
  deleteMessage: undefined,
  listStaff: undefined,
  addStaff: { name: 'canary-colleague', role: 'viewer' },
  changeStaff: { role: 'viewer' },
  endStaffSessions: undefined,
  resetStaffPassword: undefined,
  resetSecondFactor: { password },
  listActivity: undefined,
  totalActivity: undefined,
  exportActivity: undefined,
  undoChange: undefined,
  exportSubscribers: undefined,
  createJob: { kind: 'delete', targets: { ids: [7] } },
  createImport: { mode: 'update', columns: ['id', 'note'], headings: ['ID', 'Note'], rows: 1 },
  addImportRows: { first: 1, rows: [['7', 'canary-note']] },
  listJobs: undefined,
  getJob: undefined,
  listJobRows: undefined,
  startJob: {},
  pauseJob: undefined,
  stopJob: undefined,
  retryJob: undefined,
  undoJob: undefined,
  listSubscribers: undefined,
  getSubscriber: undefined,
  createSubscriber: input,
  updateSubscriber: { note: 'called' },
  deleteSubscriber: undefined,
  regenerateToken: undefined,
  listStatuses: undefined,
};

export const ownRoutes = Object.entries(bffApi).map(([name, row]) =>
  sample(
    name,
    row,
    ['getSubscriberByToken', 'revealToken', 'undoChange', 'exportSubscribers'].includes(name),
  ),
);

export const apiRoutes = Object.entries(proxiedApi).map(([name, row]) => sample(name, row, true, apiBase));

/** Those that the dashboard asks for data. */
export const everyRoute = [...ownRoutes, ...apiRoutes];

/** Those of them that need a session. */
export const closedRoutes = everyRoute.filter(
  ({ name }) => !['signIn', 'getSignInWays', 'getPasskeyRequest', 'signInWithPasskey'].includes(name),
);

export const navigationRoutes = Object.entries(navigations).map(([name, row]) => sample(name, row, false));
export const backChannelRoutes = Object.entries(backChannel).map(([name, row]) => sample(name, row, false));
export const monitoringRoutes = Object.entries(monitoringApi).map(([name, row]) => sample(name, row, false));

function sample(
  name: string,
  row: Pick<Endpoint, 'method' | 'path'>,
  goesUpstream: boolean,
  base = '',
): SampleRoute {
  const { method } = row;
  const template = base + row.path;
  const path = template.replaceAll('{id}', '7');
  const body = (bodies as Readonly<Record<string, unknown>>)[name];
  return { name, method, template, path, goesUpstream, ...(body !== undefined && { body }) };
}
