import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { api } from '../../src/contract/service/api.ts';
import { createClient } from '../../src/contract/http/client.ts';
import { createSeededRandom } from '../../src/service/samples/seeded-random.ts';
import { addressOf, askToken, bearer, startService } from '../support/server/server-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';
import { createWriter } from '../support/service/ledger.ts';

const kills = 200;
const secret = 'of-the-writers-of-the-kill-test-32';
const scope = 'subscribers:read subscribers:write';

test(
  `a service that is killed ${kills} times while eight clients write loses no acknowledged write`,
  async () => {
    const folder = join(temporaryFolder(), 'data');
    const seeded = createSeededRandom(20_261_120);
    const writers = Array.from({ length: 8 }, (_, index) => createWriter(`writer-${index}`));
    const start = async () => {
      const service = startService(folder, {
        SERVICE_CLIENTS: `writers:${secret}:${scope}`,
        LOG_LEVEL: 'error',
      });
      const base = await addressOf(service);
      const { token } = await askToken(base, 'writers', secret, scope);
      return { service, client: createClient(api, { fetch, base, headers: bearer(token) }) };
    };
    let acknowledged = 0;
    const faults: string[] = [];
    for (let kill = 0; kill <= kills; kill += 1) {
      const { service, client } = await start();
      for (const writer of writers) faults.push(...(await writer.check(client)));
      let remaining = seeded.whole(1, 40);
      await Promise.all(
        writers.map(async (writer) => {
          while (await writer.write(client)) {
            acknowledged += 1;
            remaining -= 1;
            if (remaining === 0) service.signal('SIGKILL');
          }
        }),
      );
      await service.ended;
      faults.push(...integrityFaults(join(folder, 'service.sqlite')));
    }
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(kills * 10);
  },
  40 * 60_000,
);

function integrityFaults(file: string): string[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare('PRAGMA integrity_check').all();
  database.close();
  return rows.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
}
