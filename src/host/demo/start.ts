import { setupWorker } from 'msw/browser';
import type { DeskTables } from '../../bff/store/schema.ts';
import type { ServiceTables } from '../../service/store/schema.ts';
import { openWasmSqlite } from '../sql/wasm-sqlite.ts';
import { createDeskInTab } from './desk-in-tab.ts';
import { handlersFor } from './handlers.ts';

/** How many made-up subscribers the demo begins with. */
const samples = 2000;

/** Starts the whole desk in this tab; what is done in it lasts until the page is reloaded. */
export async function startDemo(): Promise<void> {
  const [serviceDb, deskDb] = await Promise.all([
    openWasmSqlite<ServiceTables>(),
    openWasmSqlite<DeskTables>(),
  ]);
  const desk = await createDeskInTab({
    serviceDb,
    deskDb,
    samples,
    staff: { name: 'Demo', role: 'manager' },
    accounts: [
      { name: 'Demo', role: 'manager' },
      { name: 'Ingrid', role: 'support' },
      { name: 'Jonas', role: 'viewer' },
    ],
    clock: () => Date.now(),
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    log: () => undefined,
  });
  await setupWorker(...handlersFor(desk.fetch)).start({ quiet: true, onUnhandledFrame: 'bypass' });
}
