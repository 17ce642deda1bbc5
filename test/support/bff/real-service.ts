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
import { openDesk, publicUrl } from './desk.ts';
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
 * The desk in front of the real service, with staff who need not sign in. Time is real where nothing is said, because
 * those who wait for each other wait for it.
 */
export async function openRealDesk() {
  const serviceDb = await openTestDatabase<ServiceTables>('service', serviceMigrations);
  const time = { ahead: 0 };
  const start = Date.parse('2026-01-01T00:00:00Z') - performance.now();
  const clock = () => Math.floor(start + performance.now() + time.ahead);
  const desk = await openDesk({ clock, wait });
  await setApiClient(serviceDb, { id: 'desk', secrets: [clientSecret], scopes });
  const { random, log } = desk.deps;
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
  /** Somebody at a desk; each time at another replica of it, as after a start. */
  const enter = (role: Role = 'manager', name: string = role, more: Partial<BffDeps> = {}) => {
    const transport = { kind: 'tab' as const, staff: { name, role } };
    return connect(createBff({ ...desk.deps, upstream, ...more, transport }));
  };
  return { ...desk, serviceDb, service, upstream, time, clock, faults, sent, enter };
}

export type RealDesk = Awaited<ReturnType<typeof openRealDesk>>;

const base = 'http://service.test';
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 20));

/** Typed calls to a desk, and the desk itself. */
export function connect(bff: ReturnType<typeof createBff>) {
  const headers = { 'X-CSRF': '1' };
  return {
    ...bff,
    api: createClient(api, { fetch: bff.fetch, base: `${publicUrl}/api`, headers }),
    desk: createClient(bffApi, { fetch: bff.fetch, base: publicUrl, headers }),
  };
}
