import type { Transaction } from 'kysely';
import { forgetRows } from '../jobs/store.ts';
import type { BffTables } from '../schema.ts';
import { lockHead, proofOfEntry, type Db, type Mac } from './chain.ts';
import type { JournalTable } from './schema.ts';
import { hasFault } from './verify.ts';

/**
 * How many entries, drafts, rows of jobs and lists of last opened subscribers lost something, and how many changes are still
 * open and were left as they are.
 */
interface Forgotten {
  entries: number;
  drafts: number;
  rows: number;
  recent: number;
  open: number;
}

/**
 * Erases what the BFF's tables hold about the person that a subscriber is: in entries, drafts, rows of jobs, and answers by
 * `Idempotency-Key`. Who did what to which id, and when, stays in the journal, and the chain stays valid.
 *
 * @returns null if nothing is stored under this id
 */
export async function forgetSubscriber(db: Db, mac: Mac, id: number): Promise<Forgotten | null> {
  return db.transaction().execute(async (tx) => {
    const head = await lockHead(tx, mac);
    const own = await tx.selectFrom('journal').selectAll().where('subscriber_id', '=', id).execute();
    const names = [...new Set(own.flatMap(namesIn))];
    const all = [...own, ...(await findCreations(tx, names))];
    const drafts = await deleteDrafts(tx, id, names);
    const jobs = await forgetRows(tx, id, names);
    const recent = await deleteRecent(tx, id);
    if (all.length === 0 && drafts + recent + jobs.rows + jobs.open === 0) return null;
    let entries = 0;
    for (const entry of all) {
      const erased = { ...entry, ...blanksOf(entry) };
      if (entry.outcome === null || JSON.stringify(erased) === JSON.stringify(entry)) continue;
      // What somebody edited gets no proof, so that it still shows.
      const proof = (await hasFault(tx, mac, head, entry)) ? entry.proof : await proofOfEntry(mac, erased);
      await tx
        .updateTable('journal')
        .set({ ...erased, proof })
        .where('id', '=', entry.id)
        .execute();
      entries += 1;
    }
    const open = all.filter(({ outcome }) => outcome === null).length + jobs.open;
    return { entries, drafts, rows: jobs.rows, recent, open };
  });
}

/** What an entry has instead once it is erased. An event tells of staff besides, which stays. */
function blanksOf({ kind, operation, input, lock_key }: JournalTable) {
  return {
    username: '',
    username_key: '',
    input: kind === 'change' ? null : input,
    before_record: null,
    token_mac: null,
    reason: null,
    after: null,
    version: null,
    // That of a creation has the username.
    lock_key: operation === 'createSubscriber' ? '' : lock_key,
  };
}

function namesIn({ kind, username, input, after }: JournalTable): string[] {
  const parts = kind === 'change' ? [input, after] : [];
  return [username, ...parts.map(nameIn)].filter((name) => name !== '');
}

/** The username in a stored part of a record; empty if there is none, or somebody changed the text. */
function nameIn(text: string | null): string {
  try {
    const { username }: { username?: unknown } = JSON.parse(text ?? '{}');
    return typeof username === 'string' ? username : '';
  } catch {
    return '';
  }
}

/** Creations under the names that created nothing, as far as is known: they have no id. */
async function findCreations(tx: Transaction<BffTables>, names: readonly string[]): Promise<JournalTable[]> {
  const locks = names.map((name) => `u:${name.toLowerCase()}`);
  if (locks.length === 0) return [];
  const found = tx.selectFrom('journal').selectAll().where('lock_key', 'in', locks);
  return found.where('subscriber_id', 'is', null).execute();
}

/** Deletes the drafts of a subscriber's form, and those of a new subscriber with one of the names. */
async function deleteDrafts(tx: Transaction<BffTables>, id: number, names: readonly string[]) {
  const drafts = await tx
    .selectFrom('drafts')
    .selectAll()
    .where('form', 'in', [String(id), 'new'])
    .execute();
  const lower = names.map((name) => name.toLowerCase());
  const isTheirs = ({ form, body }: (typeof drafts)[number]) => {
    const { values }: { values: { username: string } } = JSON.parse(body);
    return form !== 'new' || lower.includes(values.username.toLowerCase());
  };
  const theirs = drafts.filter(isTheirs);
  for (const { owner, form } of theirs)
    await tx.deleteFrom('drafts').where('owner', '=', owner).where('form', '=', form).execute();
  return theirs.length;
}

/** Deletes a subscriber from the lists of those that staff opened last. @returns from how many */
async function deleteRecent(tx: Transaction<BffTables>, id: number): Promise<number> {
  const own = tx.deleteFrom('recent_subscribers').where('subscriber_id', '=', id);
  return Number((await own.executeTakeFirst()).numDeletedRows);
}
