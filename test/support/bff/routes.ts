import { monitoringApi } from '../../../src/bff/health.ts';
import { bffApi, proxiedApi, type BffApi } from '../../../src/contract/bff/api.ts';
import type { Entered } from '../../../src/contract/bff/draft.ts';
import { apiBase } from '../../../src/contract/bff/paths.ts';
import { backChannel, navigations } from '../../../src/contract/bff/single-sign-on.ts';
import type { Endpoint } from '../../../src/contract/http/endpoint.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { credentialsOf, password } from './browser.ts';

/** A route of the BFF, with something valid to send there. */
export interface SampleRoute {
  name: string;
  /** Its method and its path with `{id}`. */
  line: string;
  method: Endpoint['method'];
  /** With the id 7. */
  path: string;
  body?: unknown;
  /** True if the service is called for it. */
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

type WithBody<Api> = { [Name in keyof Api]: Api[Name] extends { body: unknown } ? Name : never }[keyof Api];

// Every name is required, so that a new row with a body does not compile until the tests know what to send.
const bodies: Readonly<Record<WithBody<BffApi> | WithBody<typeof proxiedApi>, unknown>> = {
  signIn: credentialsOf('manager'),
  getSubscriberByToken: { accessToken: 'some-token' },
  getPreviousToken: { accessToken: 'some-token' },
  changePassword: { password, newPassword: 'canary-another-phrase' },
  confirmApp: { setup: 'canary-setup', code: '123456' },
  addPasskey: {
    ...credential,
    response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: [] },
  },
  signInWithPasskey: {
    ...credential,
    response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
  },
  keepDraft: { values: entered, base: null },
  addView: { name: 'canary-view', query: { Expired: 'true' } },
  changeView: { name: 'canary-renamed' },
  addMessage: message,
  changeMessage: { ...message, name: 'canary-renamed', version: 1 },
  saveBundles: { bundles: [{ number: 3, name: 'canary-bundle', isSold: true }], version: 0 },
  addStaff: { name: 'canary-colleague', role: 'viewer' },
  changeStaff: { role: 'viewer' },
  createJob: { kind: 'delete', targets: { ids: [7] } },
  addImport: { name: 'canary-file.csv' },
  addImportText: { at: 0, text: 'ID,Note\n7,canary-note\n', isLast: true },
  createImport: { mode: 'update', columns: ['id', 'note'] },
  startJob: {},
  leaveOutRows: { leaveOut: true, rows: { numbers: [1] } },
  createSubscriber: input,
  updateSubscriber: { note: 'called' },
};

const callsService = [
  'getSubscriberByToken',
  'revealToken',
  'undoChange',
  'exportSubscribers',
  'getScan',
  'startScan',
];

export const apiRoutes = samplesOf(proxiedApi, apiBase);

/** Those that the dashboard asks for data. */
export const everyRoute = [...samplesOf(bffApi), ...apiRoutes];

/** Those of them that need a session. */
export const closedRoutes = everyRoute.filter(
  ({ name }) => !['signIn', 'getSignInWays', 'getPasskeyRequest', 'signInWithPasskey'].includes(name),
);

/** All at which the BFF answers, with those for browsers that navigate, the provider and the monitoring. */
export const allRoutes = [
  ...everyRoute,
  ...[navigations, backChannel, monitoringApi].flatMap((table) => samplesOf(table)),
];

function samplesOf(
  table: Readonly<Record<string, Pick<Endpoint, 'method' | 'path'>>>,
  base = '',
): SampleRoute[] {
  return Object.entries(table).map(([name, row]) => {
    const path = base + row.path;
    const body = (bodies as Readonly<Record<string, unknown>>)[name];
    return {
      name,
      line: `${row.method} ${path}`,
      method: row.method,
      path: path.replaceAll('{id}', '7'),
      goesUpstream: base !== '' || callsService.includes(name),
      ...(body !== undefined && { body }),
    };
  });
}
