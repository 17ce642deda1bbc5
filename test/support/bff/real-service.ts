import { createBff, type BffDeps } from '../../../src/bff/bff.ts';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { scopes } from '../../../src/contract/service/token.ts';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { setApiClient } from '../../../src/service/oauth/api-clients.ts';
import { createService } from '../../../src/service/service.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openTestDatabase } from '../setup/database.ts';
import { openBff, publicUrl } from './bff.ts';
import { asUpstream, clientSecret } from './fake-upstream.ts';

/** What a new subscriber is made of. */
export const entered = {
  username: 'ann',
  email: 'ann@example.com',
  expiresAt: '2027-01-01T00:00:00.000Z',
  maxConnections: 1,
  isTrial: false,
  note: '',
  hls: true,
  mpegTs: true,
  bundles: [1, 2],
  ipAddresses: [],
  userAgents: [],
  countries: ['NO'],
};

/** What happens to a request on its way to the service, or to the answer on its way back. */
export type Fault = (request: Request, go: () => Promise<Response>) => Promise<Response>;

/**
 * A BFF over the real service, with users who need not sign in. Its clock runs, because changes that wait for each
 * other need it.
 */
export async function openBffOverService() {
  const serviceDb = await openTestDatabase<ServiceTables>('service', serviceMigrations);
  const time = { ahead: 0 };
  const start = Date.parse('2026-01-01T00:00:00Z') - performance.now();
  const clock = () => Math.floor(start + performance.now() + time.ahead);
  const bff = await openBff({ clock, wait });
  await setApiClient(serviceDb, { id: 'desk', secrets: [clientSecret], scopes });
  const { random, log } = bff.deps;
  const service = createService({ db: serviceDb, clock, random, issuer: base, log });
  const faults: { next: Fault | null } = { next: null };
  const sent: string[] = [];
  const fetch = async (request: Request) => {
    if (request.url.endsWith('/oauth/token')) return service.fetch(request);
    sent.push(`${request.method} ${request.url.slice(base.length)}`);
    return faults.next ? faults.next(request, () => service.fetch(request)) : service.fetch(request);
  };
  const upstream = {
    ...asUpstream(fetch),
    baseUrl: base,
    scopes: { read: 'subscribers:read', write: 'subscribers:write' },
    extensions: [],
  };
  /** A user's calls; each time by another replica, as after a restart. */
  const enter = (role: Role = 'manager', name: string = role, more: Partial<BffDeps> = {}) => {
    const transport = { kind: 'tab' as const, staff: { name, role } };
    return connect(createBff({ ...bff.deps, upstream, ...more, transport }));
  };
  return { ...bff, serviceDb, service, upstream, time, clock, faults, sent, enter };
}

export type BffOverService = Awaited<ReturnType<typeof openBffOverService>>;

const base = 'http://service.test';
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 20));

/** A BFF with typed calls to both of its tables. */
export function connect(bff: ReturnType<typeof createBff>) {
  const headers = { 'X-CSRF': '1' };
  return {
    ...bff,
    api: createClient(api, { fetch: bff.fetch, base: `${publicUrl}/api`, headers }),
    bff: createClient(bffApi, { fetch: bff.fetch, base: publicUrl, headers }),
  };
}
