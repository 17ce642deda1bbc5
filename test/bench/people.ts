import { hash } from 'node:crypto';
import { join } from 'node:path';
import { insertSession } from '../../src/bff/auth/session-store.ts';
import type { BffTables } from '../../src/bff/schema.ts';
import { openNodeSqlite } from '../../src/server/sql/node-sqlite.ts';

/**
 * Writes people into the BFF's tables; to sign them all in would take hours.
 *
 * @returns cookies of live sessions, and names of accounts with the manager's password
 */
export async function addPeople(folder: string, { sessions = 3, accounts = 3 } = {}) {
  const db = openNodeSqlite<BffTables>(join(folder, 'desk.sqlite'));
  const ids = numbers(sessions).map((number) => `bench-${number}`.padEnd(43, '-'));
  const names = numbers(accounts).map((number) => `person-${number}`);
  await db.transaction().execute(async (tx) => {
    const manager = await tx.selectFrom('staff').selectAll().executeTakeFirstOrThrow();
    for (const name of names)
      await tx
        .insertInto('staff')
        .values({
          ...manager,
          id: name,
          name,
          name_key: name,
          must_change_password: 0,
          password_expires_at: null,
        })
        .execute();
    for (const [index, id] of ids.entries()) {
      const staffId = names[index % names.length] ?? manager.id;
      const key = hash('sha256', id, 'base64url');
      await insertSession(tx, { key, publicId: id, staffId, browser: 'Chrome on Linux', now: Date.now() });
    }
  });
  await db.destroy();
  return { cookies: ids.map((id) => `desk=${id}`), names };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
