import type { Kysely } from 'kysely';
import { createBff, type Bff, type Upstream, type Transport } from '../bff/bff.ts';
import type { Log } from '../contract/http/log.ts';
import { toBase64url } from '../contract/http/crypto.ts';
import { bffMigrations } from '../bff/migrations.ts';
import type { BffTables } from '../bff/schema.ts';
import { findOrCreateSecret } from '../bff/auth/secrets.ts';
import { serviceMigrations } from '../service/migrations.ts';
import type { ServiceTables } from '../service/schema.ts';
import { embedService, fillEmbeddedService } from '../server/embedded-service.ts';
import { migrate } from '../server/sql/migrate.ts';
import { passwords } from './people.ts';

export interface TabParts {
  serviceDb: Kysely<ServiceTables>;
  deskDb: Kysely<BffTables>;
  transport: Transport;
  /** How many made-up subscribers there are, and about when they were made up; now unless given. */
  samples: number;
  samplesAt?: number;
  /** Puts in what else there is to be, once the tables and the subscribers are there. */
  complete?: () => Promise<void>;
  /** What stands between the desk and the service. */
  between?: (exchange: Upstream['exchange']) => Upstream['exchange'];
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  log: Log;
}

/** The real BFF over the real service, both in this process. */
export async function createDeskInTab(parts: TabParts): Promise<Bff> {
  const { serviceDb, deskDb, clock, random, log, between = (exchange) => exchange } = parts;
  await migrate(serviceDb, serviceMigrations);
  await migrate(deskDb, bffMigrations);
  const clientSecret = random(32).join('-');
  const { samples, samplesAt: now = clock() } = parts;
  await fillEmbeddedService(serviceDb, { clientSecret, samples, now });
  await parts.complete?.();
  const service = embedService({ db: serviceDb, clock, random, log }, clientSecret);
  return createBff({
    db: deskDb,
    clock,
    random,
    passwords,
    journalKey: await findOrCreateSecret(deskDb, 'journal-key', () => toBase64url(random(32))),
    upstream: { ...service, exchange: between(service.exchange) },
    transport: parts.transport,
    pages: async () => new Response(null, { status: 404 }),
    log,
  });
}
