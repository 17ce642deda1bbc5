import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { bffData } from '../../src/bff/stored-data.ts';
import type { StoredData } from '../../src/lib/stored-data.ts';
import { serviceData } from '../../src/service/schema.ts';
import { importText } from '../support/bff/import-file.ts';
import { prepare, runToEnd, untilJob } from '../support/bff/jobs.ts';
import { readText } from '../support/code/source-files.ts';
import { person } from '../support/people.ts';
import { openServer, runDesk } from '../support/server/in-process.ts';
import { signIn } from '../support/server/server-process.ts';
import { openBffFile, openServiceFile } from '../support/server/sqlite-file.ts';

interface Table {
  kept: string;
  isInBackups: boolean;
  holds: Readonly<Record<string, StoredData>>;
  plain: readonly string[];
}
const inventories: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
  BFF: bffData,
  service: serviceData,
};

/** The tables of a file with their columns, without those of Kysely and of the search index. */
function columnsIn(file: string): Record<string, string[]> {
  const database = new DatabaseSync(file);
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const names = tables
    .map(({ name }) => String(name))
    .filter((name) => !/migration|subscriber_search|sqlite_/.test(name));
  const columnsOf = (name: string) =>
    database
      .prepare(`pragma table_info(${name})`)
      .all()
      .map((column) => String(column['name']));
  const found = Object.fromEntries(names.map((name) => [name, columnsOf(name).toSorted()]));
  database.close();
  return found;
}

describe('the inventory of what is stored', () => {
  it.each(['BFF', 'service'])('has each column of each table once: %s', async (name) => {
    const { file } = await (name === 'BFF' ? openBffFile() : openServiceFile());
    const listed = Object.entries(inventories[name] ?? {}).map(([table, { holds, plain }]) => [
      table,
      [...Object.keys(holds), ...plain].toSorted(),
    ]);
    expect(Object.fromEntries(listed)).toEqual(columnsIn(file));
  });

  it('stands in SECURITY.md', () => {
    const items = Object.values(inventories).flatMap((tables) => Object.entries(tables).flatMap(itemOf));
    const text = readText('.github/SECURITY.md').replaceAll(/\s+/g, ' ');
    expect(items.length).toBeGreaterThan(15);
    expect(items.filter((item) => !text.includes(item))).toEqual([]);
  });
});

/** The README's item on a table: its columns, those that are alike together. */
function itemOf([table, { kept, isInBackups, holds }]: [string, Table]): string[] {
  const alike = Map.groupBy(Object.entries(holds), ([, { about, form, erasure }]) =>
    [
      about,
      form,
      ...(erasure === undefined ? [] : [erasure === 'named' ? 'erased if it names them' : 'erased']),
    ].join(', '),
  );
  const groups = [...alike].map(
    ([words, columns]) => `${columns.map(([name]) => `\`${name}\``).join(', ')} (${words})`,
  );
  return groups.length === 0
    ? []
    : [`- \`${table}\`, ${kept}${isInBackups ? '' : ', in no backup'}: ${groups.join('; ')}`];
}

const canary = 'Canary-Person';
const email = 'canary.person@example.com';

/** Letters that no other text has: a search index keeps the first of three as they are, and only the ends of most others. */
const pieces = ['жщю', 'эъф'];
const inPieces = person(`${pieces[0]}-user`, { email: 'other@example.com', note: `${pieces[1]} note` });

/** Which of the words are in the files of a folder, byte by byte, whatever their case. */
function findIn(folder: string, words: readonly string[]): string[] {
  const texts = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name), 'latin1').toLowerCase()] as const,
  );
  const bytesOf = (word: string) => Buffer.from(word).toString('latin1').toLowerCase();
  return texts.flatMap(([name, text]) =>
    words.filter((word) => text.includes(bytesOf(word))).map((word) => `${name}: ${word}`),
  );
}

describe('the data folder', () => {
  it('has no token that a job, an import or a change has replaced, and nothing of a person who is forgotten', async () => {
    const server = await openServer({ MANAGER_PASSWORD: 'a long password for tests' });
    const manager = await signIn(server.url, 'a long password for tests');
    const { data } = await manager.api.createSubscriber({
      body: person(canary, { email, note: 'A canary note.' }),
    });
    const { id } = data;
    const tokens: string[] = [];
    const see = async () => {
      const token = (await manager.bff.revealToken({ params: { id } })).data.accessToken;
      tokens.push(token);
      expect(findIn(server.folder, tokens).filter((found) => found.startsWith('desk'))).toEqual([]);
    };
    await see();
    await manager.api.regenerateToken({ params: { id } });
    await see();
    const { id: job } = await prepare(manager, {
      kind: 'regenerate',
      targets: { query: { Username: 'canary' } },
    });
    await runToEnd(manager, job);
    await see();
    const update = { kind: 'update', change: { appendNote: `Like ${canary}.` } } as const;
    await prepare(manager, { ...update, targets: { query: { Email: email } }, reason: `About ${canary}` });
    const file = `id,username,note,Access token\nx,CANARY-person,A canary row,${tokens[0]}\n9,other,${canary} called\n`;
    const read = await importText(manager, file, {
      mode: 'upsert',
      columns: [null, 'username', 'note', null],
    });
    await untilJob(manager, read.id, 'ready', 'stopped');
    await manager.bff.addView({ body: { name: `All of ${canary}`, query: { Username: canary } } });
    await see();
    await manager.api.deleteSubscriber({ params: { id } });
    const deleteOther = async () => {
      const { data: other } = await manager.api.createSubscriber({ body: inPieces });
      await manager.api.deleteSubscriber({ params: { id: other.id } });
      return other.id;
    };
    const other = await deleteOther();
    expect(findIn(server.folder, [canary, email]).length).toBeGreaterThan(0);
    const run = await runDesk({ DATA_DIR: server.folder }, 'forget-subscriber', String(id));
    expect(run).toMatchObject({ code: 0 });
    const words = [canary, email, 'canary note', 'canary row', ...tokens];
    expect(findIn(server.folder, words)).toEqual([]);
    expect(findIn(server.folder, pieces).filter((found) => found.startsWith('service'))).toEqual([]);
    await runDesk({ DATA_DIR: server.folder }, 'forget-subscriber', String(other));
    const last = await deleteOther();
    const inService = findIn(server.folder, pieces).map((found) => found.replace('-wal', ''));
    expect(inService).toEqual(expect.arrayContaining(pieces.map((piece) => `service.sqlite: ${piece}`)));
    const backup = `${server.folder}-backup`;
    expect(await runDesk({ DATA_DIR: server.folder }, 'backup', backup)).toMatchObject({ code: 0 });
    expect(findIn(backup, words)).toEqual([]);
    expect(findIn(backup, pieces).filter((found) => found.startsWith('service'))).toEqual([]);
    expect(await runDesk({ DATA_DIR: server.folder }, 'forget-subscriber', String(last))).toMatchObject({
      code: 0,
    });
    expect(findIn(server.folder, pieces)).toEqual([]);
  });
});
