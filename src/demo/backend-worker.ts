import type { BffTables } from '../bff/schema.ts';
import { openDatabaseFiles, openWasmSqlite } from '../server/sql/wasm-sqlite.ts';
import type { ServiceTables } from '../service/schema.ts';
import { serveBackend } from './channel.ts';
import { fillData, type Databases } from './data.ts';
import type { Settings } from './settings.ts';
import { openBackend } from './backend.ts';

/** Settings that a page hands to its worker, as the worker's name. */
export interface WorkerName extends Pick<Settings, 'data' | 'days' | 'statuses'> {
  /** The name of the data: that of their lock, their channel and their folder. */
  dataName: string;
}

// The page below writes it.
const { dataName, ...requested } = JSON.parse(self.name) as WorkerName;
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
const now = () => Date.now();
const maintenanceInterval = 60_000;
/** Data that no tab shows are kept for so long, in ms: the browser may have put their tab aside. */
const life = 24 * 60 * 60_000;

/**
 * Each tab has this worker. The first one opens the databases and serves their backend to all; when its tab is closed, or
 * ended by the browser, the browser gives the lock to the worker of another.
 */
navigator.locks.request(dataName, serve).catch((error: unknown) =>
  // Thrown outside of the promise, the page hears of it.
  setTimeout(() => {
    throw error;
  }),
);

async function serve(): Promise<never> {
  const backend = await open(await openDatabases());
  serveBackend(new BroadcastChannel(dataName), backend);
  void backend.runMaintenance();
  setInterval(() => void backend.runMaintenance(), maintenanceInterval);
  await deleteOld().catch(() => undefined);
  return new Promise(() => undefined);
}

const open = (data: { databases: Databases; isStored: boolean }) =>
  openBackend({ ...data, now, random, userAgent: navigator.userAgent, origin: location.origin });

async function openDatabases(): Promise<{ databases: Databases; isStored: boolean }> {
  const files = await openDatabaseFiles(folderOf(dataName)).catch(() => null);
  // The BFF's is written last.
  if (!files?.has('bff')) {
    const service = await openWasmSqlite<ServiceTables>();
    const bff = await openWasmSqlite<BffTables>();
    const databases = { service: service.db, bff: bff.db };
    await fillData(databases, { ...requested, now: now(), random });
    await (await open({ databases, isStored: false })).writeHistory();
    if (files === null) return { databases, isStored: false };
    await files.put('service', service.image());
    await files.put('bff', bff.image());
    await Promise.all([service.db.destroy(), bff.db.destroy()]);
  }
  return { databases: { service: files.open('service'), bff: files.open('bff') }, isStored: true };
}

const prefix = 'subscriber-desk-demo';
const folderOf = (name: string) => encodeURIComponent(name);

/** Deletes what tabs have left that were closed. */
async function deleteOld(): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const { held = [] } = await navigator.locks.query();
  const inUse = new Set(held.map(({ name = '' }) => folderOf(name)));
  for await (const folder of root.values()) {
    if (!folder.name.startsWith(prefix) || inUse.has(folder.name)) continue;
    if (!(folder instanceof FileSystemDirectoryHandle)) continue;
    let writtenAt = 0;
    for await (const file of (await folder.getDirectoryHandle('.opaque')).values())
      if (file instanceof FileSystemFileHandle)
        writtenAt = Math.max(writtenAt, (await file.getFile()).lastModified);
    if (writtenAt < now() - life) await root.removeEntry(folder.name, { recursive: true });
  }
}
