import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMac } from '../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../src/bff/journal/verify.ts';
import { findSecret } from '../../src/bff/auth/secrets.ts';
import type { BffTables } from '../../src/bff/schema.ts';
import { openNodeSqlite } from '../../src/server/sql/node-sqlite.ts';
import { createSeededRandom } from '../../src/service/samples/seeded-random.ts';
import type { ServiceTables } from '../../src/service/schema.ts';
import { createPerson, type Person } from '../support/bff/person.ts';
import { addressOf, signIn, startServer } from '../support/server/server-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';
import { person } from '../support/people.ts';

vi.setConfig({ testTimeout: 30 * 60_000 });

const [kills, writers, password] = [200, 8, 'chosen by the operator'] as const;

/** The changes that were answered as done: notes of updates by subscriber, in sequence, and names of creations. */
const answered = { notes: new Map<number, string[]>(), names: new Set<string>() };

test(`a server that is killed ${kills} times while ${writers} clients write has a true entry of each change that it did`, async () => {
  const folder = join(temporaryFolder(), 'data');
  const seeded = createSeededRandom(3);
  let cookie = '';
  for (let round = 0; round < kills; round += 1) {
    const server = startServer(folder, { MANAGER_PASSWORD: password, READS_PER_SECOND: '0' });
    const url = await addressOf(server);
    cookie ||= (await signIn(url, password)).cookie;
    const person = createPerson(fetch, url, cookie);
    const firstAnswer = Promise.withResolvers<void>();
    const writing = Array.from({ length: writers }, (_, index) =>
      keepWriting(person, round, index, firstAnswer.resolve),
    );
    await Promise.race([firstAnswer.promise, Promise.all(writing)]);
    setTimeout(() => server.signal('SIGKILL'), seeded.bytes(1)[0]);
    await Promise.all(writing);
    await server.ended;
  }
  const last = startServer(folder, { MANAGER_PASSWORD: password });
  await addressOf(last);
  const db = openNodeSqlite<BffTables>(join(folder, 'desk.sqlite'));
  const service = openNodeSqlite<ServiceTables>(join(folder, 'service.sqlite'));
  onTestFinished(async () => void (await Promise.all([db.destroy(), service.destroy()])));

  const open = () => db.selectFrom('journal').select('id').where('outcome', 'is', null).execute();
  await vi.waitFor(async () => expect(await open()).toEqual([]), { timeout: 150_000, interval: 1000 });
  for (const each of [db, service]) {
    const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(each);
    expect(check.rows).toEqual([{ integrity_check: 'ok' }]);
  }
  const key = await findSecret(db, 'journal-key');
  expect(await verifyJournal(db, createMac(key ?? ''))).not.toHaveProperty('fault');
  expect(await faults(db, service)).toEqual([]);
});

/** Each updates its own subscriber in each round, and creates others, until the server is gone. */
async function keepWriting(
  { ask }: Person,
  round: number,
  index: number,
  onAnswer: () => void,
): Promise<void> {
  const id = round * writers + index + 1;
  const notes: string[] = [];
  answered.notes.set(id, notes);
  for (let turn = 0; ; turn += 1) {
    const [note, name] = [`${round} ${index} ${turn}`, `made-${round}-${index}-${turn}`];
    const isCreation = turn % 3 === 2;
    const answer = await (
      isCreation
        ? ask('POST', '/api/subscribers', person(name))
        : ask('PUT', `/api/subscribers/${id}`, { note })
    ).catch(() => null);
    // What breaks off within its body counts as no answer.
    if ((await answer?.text().catch(() => null)) == null) return;
    onAnswer();
    if (!answer?.ok) continue;
    if (isCreation) answered.names.add(name);
    else notes.push(note);
  }
}

/** Where the journal differs from what was answered and from what the service has. */
async function faults(
  db: ReturnType<typeof openNodeSqlite<BffTables>>,
  service: ReturnType<typeof openNodeSqlite<ServiceTables>>,
) {
  const entries = await db.selectFrom('journal').selectAll().orderBy('seq').execute();
  const records = await service.selectFrom('subscribers').selectAll().execute();
  const wrong: unknown[] = [];
  const done = entries.filter(({ outcome }) => outcome === 'done');
  const isDone = new Set(
    done.map(({ after }) => (after === null ? '' : (JSON.parse(after) as { note?: string }).note)),
  );
  const made = new Map(
    done.flatMap((one) => (one.operation === 'createSubscriber' ? [[one.username, one.subscriber_id]] : [])),
  );
  const updates = Map.groupBy(
    done.filter(({ operation }) => operation === 'updateSubscriber'),
    (one) => one.subscriber_id ?? 0,
  );
  for (const [id, notes] of answered.notes)
    for (const note of notes) if (!isDone.has(note)) wrong.push({ id, note, lacks: 'an entry' });
  for (const name of answered.names) if (!made.has(name)) wrong.push({ name, lacks: 'an entry' });
  for (const { id, username, version, note } of records) {
    const own = updates.get(id) ?? [];
    // The version counts the changes of a subscriber, so that exactly those have an entry.
    if (own.length !== version - 1) wrong.push({ id, version, entries: own.length });
    const last = own.at(-1)?.after;
    if (last && JSON.parse(last).note !== note) wrong.push({ id, note, last });
    if (username.startsWith('made-') && made.get(username) !== id)
      wrong.push({ username, lacks: 'its creation' });
  }
  const names = new Set(records.map(({ username }) => username));
  for (const name of made.keys()) if (!names.has(name)) wrong.push({ name, lacks: 'its subscriber' });
  const outcomes = new Set(entries.map(({ outcome }) => outcome));
  if (outcomes.has('unknown') || outcomes.has('refused')) wrong.push([...outcomes]);
  const count = (outcome: string) => entries.filter((one) => one.outcome === outcome).length;
  expect(done.length).toBeGreaterThanOrEqual(kills);
  process.stdout.write(`${entries.length} entries, ${count('done')} done, ${count('failed')} failed\n`);
  return wrong;
}
