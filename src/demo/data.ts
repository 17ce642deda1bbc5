import type { BffTables } from '../bff/schema.ts';
import type { ServiceTables } from '../service/schema.ts';
import { openRecordedSqlite } from '../server/sql/wasm-sqlite.ts';
import type { Kept } from './memory.ts';
import { lastIdOf, setLastId } from './subscribers.ts';

export type Data = Awaited<ReturnType<typeof openData>>;

/** The two databases of the demo: the service's and the desk's. */
export async function openData() {
  const [service, desk] = await Promise.all([
    openRecordedSqlite<ServiceTables>(),
    openRecordedSqlite<BffTables>(),
  ]);
  return { service, desk };
}

/** From now on what changes is written down; what there is now can be made up again. */
export function record({ service, desk }: Data): void {
  // Its clients and keys are new with every page.
  service.recorder.begin('subscribers');
  desk.recorder.begin();
}

export async function changesOf({ service, desk }: Data): Promise<Pick<Kept, 'service' | 'lastId' | 'desk'>> {
  const lastId = await lastIdOf(service.db);
  return { service: service.recorder.changes(), lastId, desk: desk.recorder.changes() };
}

/** Puts a demo where it was when its changes were read. */
export async function goOn({ service, desk }: Data, kept: Kept): Promise<void> {
  service.recorder.replay(kept.service);
  await setLastId(service.db, kept.lastId);
  desk.recorder.replay(kept.desk);
}
