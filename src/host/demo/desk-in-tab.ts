import type { Kysely } from 'kysely';
import { createBff, type Log } from '../../bff/bff.ts';
import { base64url } from '../../bff/digest.ts';
import { addStaff } from '../../bff/staff.ts';
import { deskMigrations } from '../../bff/store/migrations.ts';
import type { DeskTables } from '../../bff/store/schema.ts';
import type { Role } from '../../contract/permission.ts';
import { serviceMigrations } from '../../service/store/migrations.ts';
import type { ServiceTables } from '../../service/store/schema.ts';
import { embedService, fillEmbeddedService } from '../embedded-service.ts';
import { migrate } from '../sql/migrate.ts';

export interface TabParts {
  serviceDb: Kysely<ServiceTables>;
  deskDb: Kysely<DeskTables>;
  /** How many made-up subscribers there are. */
  samples: number;
  staff: { name: string; role: Role };
  /** Accounts to look after; nobody signs in with them. */
  accounts?: readonly { name: string; role: Role }[];
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  log: Log;
}

/** The real BFF over the real service, both in this process, with somebody already signed in. */
export async function createDeskInTab(parts: TabParts) {
  const { serviceDb, deskDb, clock, random, log } = parts;
  await migrate(serviceDb, serviceMigrations);
  await migrate(deskDb, deskMigrations);
  const clientSecret = random(32).join('-');
  await fillEmbeddedService(serviceDb, { clientSecret, samples: parts.samples, now: clock() });
  for (const account of parts.accounts ?? [])
    await addStaff({ db: deskDb, passwords, random, clock }, { ...account, password: random(32).join('-') });
  return createBff({
    db: deskDb,
    clock,
    random,
    passwords,
    journalKey: base64url(random(32)),
    upstream: embedService({ db: serviceDb, clock, random, log }, clientSecret),
    visitor: { kind: 'tab', staff: parts.staff },
    pages: async () => new Response(null, { status: 404 }),
    log,
  });
}

/** Nobody signs in: what an account of the demo keeps in the place of a hash opens nothing. */
const passwords = { hash: async () => 'none', verify: async () => false };
