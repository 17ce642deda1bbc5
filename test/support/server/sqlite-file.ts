import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { openDataFile } from '../../../src/server/data-folder.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { temporaryFolder, whenOver } from './temporary-folder.ts';

const migrations = { desk: bffMigrations, service: serviceMigrations };

/** The BFF's tables in a SQLite file of their own, open as those of a running server. */
export const openBffFile = () => open<BffTables>('desk');

/** The same for the service's. */
export const openServiceFile = () => open<ServiceTables>('service');

async function open<Tables>(name: 'desk' | 'service') {
  const folder = join(temporaryFolder(), 'data');
  const file = await openDataFile(folder, name);
  const options = { name, migrations: migrations[name], fill: async () => {} };
  const db: Kysely<Tables> = await openDatabase<Tables>({ file }, options);
  whenOver(() => db.destroy());
  return { db, file, folder };
}
