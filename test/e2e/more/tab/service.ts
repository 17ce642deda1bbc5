import { scopes } from '../../../../src/contract/service/token.ts';
import { migrate } from '../../../../src/server/sql/migrate.ts';
import { openWasmSqlite } from '../../../../src/server/sql/wasm-sqlite.ts';
import { setApiClient } from '../../../../src/service/oauth/api-clients.ts';
import { createService } from '../../../../src/service/http/service.ts';
import { serviceMigrations } from '../../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../../src/service/schema.ts';
import { bytesOf, wireOf, type Wire } from './wire.ts';

/** The service over SQLite in WebAssembly, for a test outside this tab. */
async function start(issuer: string, credentials: { id: string; secret: string }) {
  const { db } = await openWasmSqlite<ServiceTables>();
  await migrate(db, serviceMigrations);
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes });
  const service = createService({
    db,
    clock: () => Date.now(),
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    issuer,
    log: () => {},
  });
  return async (wire: Wire): Promise<Wire> => {
    const { method = 'GET', url = '', headers } = wire;
    const body = bytesOf(wire);
    const response = await service.fetch(new Request(url, { method, headers, ...(body && { body }) }));
    return { status: response.status, ...(await wireOf(response)) };
  };
}

declare global {
  var startService: typeof start;
  var answer: Awaited<ReturnType<typeof start>>;
}
globalThis.startService = start;
