import { noteForm, type Draft } from '../../contract/bff/draft.ts';
import type { Transaction } from 'kysely';
import { forgetInJobs, type ForgottenJobs } from '../jobs/forget.ts';
import type { BffTables, BffDb } from '../schema.ts';
import { erasedColumns } from '../stored-data.ts';
import { lockHead, proofOfEntry, readEventInput, type Mac } from './chain.ts';
import { createNamedPerson, parseJson, type NamedPerson } from './named-person.ts';
import type { JournalHeadTable, JournalTable } from './schema.ts';
import { hasFault } from './verify.ts';

/**
 * Number of entries, drafts, views, rows and texts of jobs, files and lists of last opened subscribers that lost
 * something. With `open` nothing did: changes without a known outcome or a job still need so much.
 */
interface Forgotten extends ForgottenJobs {
  entries: number;
  drafts: number;
  views: number;
  recent: number;
  /** False if no name of the person was known, so that only the id was looked for. */
  isNamed: boolean;
}

type Tx = Transaction<BffTables>;

/**
 * Erases what the BFF's tables hold about the person that a subscriber is; `bffData` says where that is. Who did what to
 * which id, and when, stays in the journal, and the chain stays valid.
 *
 * @param names usernames and emails, besides those in the changes of this id
 * @returns null if nothing is stored under this id, or with a name
 */
export async function forgetSubscriber(
  db: BffDb,
  mac: Mac,
  id: number,
  names: readonly string[] = [],
): Promise<Forgotten | null> {
  try {
    return await db.transaction().execute((tx) => forgetIn(tx, mac, id, names));
  } catch (error) {
    if (error instanceof StillOpen) return { ...nothing, open: error.count };
    throw error;
  }
}

const nothing = { entries: 0, drafts: 0, views: 0, recent: 0, rows: 0, jobs: 0, files: 0, isNamed: true };

/** Gives the transaction up: a second run could not know the names that the first one erased. */
class StillOpen extends Error {
  override readonly name = 'StillOpen';

  readonly count: number;

  constructor(count: number) {
    super();
    this.count = count;
  }
}

async function forgetIn(tx: Tx, mac: Mac, id: number, given: readonly string[]): Promise<Forgotten | null> {
  const head = await lockHead(tx, mac);
  const own = await tx.selectFrom('journal').selectAll().where('subscriber_id', '=', id).execute();
  const names = [...given, ...own.flatMap(namesIn), ...(await namesInJobs(tx, id))];
  const person = createNamedPerson(id, names);
  const drafts = await forgetInDrafts(tx, person);
  const views = await deleteViews(tx, person);
  const recent = await deleteRecent(tx, id);
  const jobs = await forgetInJobs(tx, person);
  const theirs = [...own, ...(await findCreations(tx, person))].map(
    (entry) => [entry, blanksOf(entry)] as const,
  );
  const all = new Map<string, readonly [JournalTable, Partial<JournalTable>]>();
  // Each once, with all its blanks: a proof covers what remains of the entry.
  for (const [entry, blanks] of [...theirs, ...(await findReasons(tx, person))])
    all.set(entry.id, [entry, { ...all.get(entry.id)?.[1], ...blanks }]);
  const open = [...all.values()].filter(([{ outcome }]) => outcome === null).length + jobs.open;
  if (open > 0) throw new StillOpen(open);
  if (all.size + drafts + views + recent + sumOf(jobs) === 0) return null;
  let entries = 0;
  for (const [entry, blanks] of all.values())
    entries += (await erase(tx, { mac, head }, entry, blanks)) ? 1 : 0;
  return { ...jobs, entries, drafts, views, recent, isNamed: names.some((name) => name !== '') };
}

const sumOf = (counts: ForgottenJobs) =>
  Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);

/** Erases columns of an entry that has ended. @returns whether it lost anything */
async function erase(
  tx: Tx,
  { mac, head }: { mac: Mac; head: JournalHeadTable },
  entry: JournalTable,
  blanks: Partial<JournalTable>,
): Promise<boolean> {
  const erased = { ...entry, ...blanks };
  if (JSON.stringify(erased) === JSON.stringify(entry)) return false;
  // What somebody edited gets no proof, so that it still shows.
  const proof = (await hasFault(tx, mac, head, entry)) ? entry.proof : await proofOfEntry(mac, erased);
  await tx
    .updateTable('journal')
    .set({ ...blanks, proof })
    .where('id', '=', entry.id)
    .execute();
  return true;
}

/** Values that replace an entry's data about the person. */
function blanksOf({ kind, operation, input, lock_key }: JournalTable): Partial<JournalTable> {
  return {
    ...erasedColumns('journal'),
    // An event tells of staff, which stays.
    input: kind === 'change' ? null : input,
    // That of a creation has the username.
    lock_key: operation === 'createSubscriber' ? '' : lock_key,
  };
}

function namesIn({ kind, username, input, before_record, after }: JournalTable): string[] {
  const parts = kind === 'change' ? [input, before_record, after] : [];
  return [username, ...parts.flatMap(namesInPart)];
}

/** The username and the email in a stored part of a record. */
function namesInPart(text: string | null): string[] {
  const part = Object(parseJson(text)) as { username?: unknown; email?: unknown };
  return [part.username, part.email].filter((name) => typeof name === 'string');
}

async function namesInJobs(tx: Tx, id: number): Promise<string[]> {
  const rows = tx.selectFrom('job_rows').select(['username', 'before', 'after']);
  const own = await rows.where('subscriber_id', '=', id).execute();
  return own.flatMap(({ username, before, after }) => [username, ...[before, after].flatMap(namesInPart)]);
}

/** Creations under the names that created nothing, as far as is known: they have no id. */
async function findCreations(tx: Tx, person: NamedPerson): Promise<JournalTable[]> {
  const creations = tx.selectFrom('journal').selectAll().where('operation', '=', 'createSubscriber');
  const without = await creations.where('subscriber_id', 'is', null).execute();
  return without.filter((entry) => namesIn(entry).some(person.isName));
}

/** The entries about others whose reason names the person, and what they have instead. */
async function findReasons(tx: Tx, person: NamedPerson) {
  const reasons = await tx
    .selectFrom('journal')
    .select('reason')
    .distinct()
    .where('reason', 'is not', null)
    .execute();
  const named = reasons.map(({ reason }) => reason).filter(person.isNamedIn);
  const entries = tx.selectFrom('journal').selectAll();
  const changes = named.length > 0 ? await entries.where('reason', 'in', named).execute() : [];
  const events = await entries.where('kind', '<>', 'change').where('input', 'like', '%"reason":%').execute();
  return [
    ...changes.map((entry) => [entry, { reason: null }] as const),
    ...events.flatMap((entry) => {
      const { account, details } = readEventInput(entry);
      if (!person.isNamedIn(details.reason)) return [];
      return [
        [entry, { input: JSON.stringify({ account, details: { ...details, reason: undefined } }) }] as const,
      ];
    }),
  ];
}

/**
 * Deletes the drafts of a subscriber's form and note, and those of a new subscriber with one of the names. Others lose a reason
 * that names the person.
 */
async function forgetInDrafts(tx: Tx, { id, isName, isNamedIn }: NamedPerson): Promise<number> {
  let changed = 0;
  for (const { owner, form, body } of await tx.selectFrom('drafts').selectAll().execute()) {
    const { values, reason, ...rest } = JSON.parse(body) as Partial<Draft>;
    const isTheirs =
      form === 'new'
        ? values !== undefined && (isName(values.username) || isName(values.email))
        : [String(id), noteForm(id)].includes(form);
    if (!isTheirs && !isNamedIn(reason)) continue;
    const own = { owner, form };
    if (isTheirs)
      await tx
        .deleteFrom('drafts')
        .where((row) => row.and(own))
        .execute();
    else
      await tx
        .updateTable('drafts')
        .set({ body: JSON.stringify({ values, ...rest }) })
        .where((row) => row.and(own))
        .execute();
    changed += 1;
  }
  return changed;
}

/** Deletes the views that look for the person. */
async function deleteViews(tx: Tx, { isNamedIn }: NamedPerson): Promise<number> {
  const views = await tx.selectFrom('views').selectAll().execute();
  const theirs = views.filter(({ name, query }) => isNamedIn([name, parseJson(query)]));
  for (const { owner, id } of theirs)
    await tx.deleteFrom('views').where('owner', '=', owner).where('id', '=', id).execute();
  return theirs.length;
}

/** Deletes a subscriber from the lists of those that staff opened last. @returns from how many */
async function deleteRecent(tx: Tx, id: number): Promise<number> {
  const own = tx.deleteFrom('recent_subscribers').where('subscriber_id', '=', id);
  return Number((await own.executeTakeFirst()).numDeletedRows);
}
