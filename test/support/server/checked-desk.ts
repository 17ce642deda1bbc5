import { startWriteCheck } from '../../../src/server/sql/write-check.ts';
import { ask } from '../bff/browser.ts';
import { createTestDesk } from '../desk.ts';
import { openBffFile } from './sqlite-file.ts';
import { whenOver } from './temporary-folder.ts';

/** A desk whose tables are in a file, with a manager, and the check that they can be written to, which readiness asks. */
export async function openCheckedDesk() {
  const { db, file } = await openBffFile();
  const checkLog: unknown[] = [];
  const time = { now: 1_000_000 };
  const value = 'x'.repeat(20_000);
  const { canWrite, stop } = startWriteCheck({
    database: 'desk',
    file,
    write: () => db.insertInto('secrets').values({ name: crypto.randomUUID(), value }).execute(),
    clock: () => time.now,
    log: (level, event, details) => void checkLog.push({ level, event, ...details }),
  });
  whenOver(async () => stop());
  const desk = await createTestDesk({ db, canWrite });
  const manager = await desk.signIn('manager');
  return {
    ...desk,
    file,
    manager,
    /** Lines that the check logged. */
    checkLog,
    /** Asks at a time when the check is made again. */
    isReady: async () => {
      time.now += 5000;
      return (await desk.fetch(ask('GET', '/readyz'))).status === 200;
    },
  };
}
