/** A process that opens the BFF's database at a given moment, and prints the secret that it holds. */
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { findOrCreateSecret } from '../../../src/bff/auth/secrets.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { openDatabase } from '../../../src/server/open-database.ts';

const [file = '', moment] = process.argv.slice(2);
// Busy, because a timer would let the processes begin milliseconds apart.
while (Date.now() < Number(moment));
const db = await openDatabase<BffTables>(
  { file },
  {
    name: 'desk',
    migrations: bffMigrations,
    fill: async (alone) => {
      process.stdout.write(
        await findOrCreateSecret(alone, 'client-secret', () => `secret of ${process.pid}`),
      );
    },
  },
);
await db.destroy();
