import type { Kysely } from 'kysely';
import { http, type HttpHandler } from 'msw/http';
import { createBff, type Bff, type Upstream, type Transport } from '../bff/http/bff.ts';
import type { Log } from '../lib/log.ts';
import { toBase64url } from '../lib/crypto.ts';
import { bffMigrations } from '../bff/migrations.ts';
import type { BffTables } from '../bff/schema.ts';
import { findOrCreateSecret } from '../bff/auth/secrets.ts';
import { serviceMigrations } from '../service/migrations.ts';
import type { ServiceTables } from '../service/schema.ts';
import { embedService, fillEmbeddedService } from '../server/embedded-service.ts';
import { migrate } from '../server/sql/migrate.ts';
import { apiBase, bffBase } from '../contract/bff/paths.ts';
import type { Fetch } from './faults.ts';
import { passwords } from './people.ts';

interface TabParts {
  serviceDb: Kysely<ServiceTables>;
  bffDb: Kysely<BffTables>;
  transport: Transport;
  /** How many subscribers are generated, and for which time; by default now. */
  samples: number;
  samplesAt?: number;
  /** Adds more data once the tables and the subscribers exist. */
  complete?: () => Promise<void>;
  /** The secret of the BFF's client, where somebody else has filled the databases. */
  clientSecret?: string;
  /** Wraps the calls from the BFF to the service. */
  wrapExchange?: (exchange: Upstream['exchange']) => Upstream['exchange'];
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  log: Log;
}

/** A BFF in this process, and how to get another one on the same data. */
export interface BffInTab extends Bff {
  /** The same clock is for one that takes its place; one with a clock of its own meets no faults. */
  withClock: (clock: () => number) => Promise<Bff>;
  clientSecret: string;
}

/** The real BFF with the real service, both in this process. */
export async function createBffInTab(parts: TabParts): Promise<BffInTab> {
  const { serviceDb, bffDb, clock, random, log, wrapExchange = (exchange) => exchange } = parts;
  const clientSecret = parts.clientSecret ?? random(32).join('-');
  if (parts.clientSecret === undefined) {
    await migrate(serviceDb, serviceMigrations);
    await migrate(bffDb, bffMigrations);
    const { samples, samplesAt: now = clock() } = parts;
    await fillEmbeddedService(serviceDb, { clientSecret, samples, now });
    await parts.complete?.();
  }
  const service = embedService({ db: serviceDb, clock, random, log }, clientSecret);
  const generate = () => toBase64url(random(32));
  const withClock = async (own: () => number) =>
    createBff({
      db: bffDb,
      clock: own,
      random,
      passwords,
      journalKey: await findOrCreateSecret(bffDb, 'journal-key', generate),
      secondFactorKey: await findOrCreateSecret(bffDb, 'second-factor-key', generate),
      upstream: own === clock ? { ...service, exchange: wrapExchange(service.exchange) } : service,
      transport: parts.transport,
      pages: async () => new Response(null, { status: 404 }),
      playlistUrlTemplate: 'https://tv.example/playlist/{token}.m3u8',
      log,
    });
  return { ...(await withClock(clock)), withClock, clientSecret };
}

/** MSW handlers that pass all requests of the dashboard to the BFF, so that no faked answer can become wrong. */
export function handlersFor(fetch: Fetch): HttpHandler[] {
  return [apiBase, bffBase].map((base) =>
    http.all(`*${base}/*`, ({ request }) => fetch(withoutEmptyBody(request))),
  );
}

/** MSW gives every POST and DELETE a body, even if it is empty. Real bodies of the dashboard have a content type. */
function withoutEmptyBody(request: Request): Request {
  if (['GET', 'HEAD'].includes(request.method) || request.headers.has('Content-Type')) return request;
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal });
}
