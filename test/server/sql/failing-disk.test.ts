import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import { openServiceFile } from '../../support/server/sqlite-file.ts';

/** SQLITE_IOERR_FSYNC. */
const fsyncFailed = 1034;
const withKey = { headers: { [changeHeaders.key]: 'a-key-for-a-failing-disk' } };
const unavailable = '503 database-unavailable';

/** A service whose disk gives back less than it was given, SQLITE_IOERR_SHORT_READ, and then again all of it. */
async function arrange() {
  const { db, file } = await openServiceFile();
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  const service = await startService({ db });
  const ask = async (...request: Parameters<typeof service.send>) =>
    (await problemOf(await service.send(...request))).problem;
  const fail = () => {
    // What another process wrote is not in the memory of this one: it has to be read.
    other.exec("update subscriber_statuses set name = 'Active ' where id = 1");
    const log = readFileSync(`${file}-wal`);
    truncateSync(`${file}-wal`);
    return { mend: () => writeFileSync(`${file}-wal`, log) };
  };
  return { ...service, ask, fail };
}

test('what the disk does not give is said to be so, and answered when it does', async () => {
  const { client, ask, fail, log } = await arrange();
  const { id } = (await client.createSubscriber({ body: anna })).data;
  const disk = fail();
  expect(await ask('GET', `/subscribers/${id}`)).toBe(unavailable);
  expect(await ask('GET', '/subscribers?Username=a')).toBe(unavailable);
  expect(await ask('DELETE', `/subscribers/${id}`, withKey)).toBe(unavailable);
  expect(log).toContainEqual(expect.objectContaining({ level: 'warn', event: 'database-unavailable' }));
  disk.mend();
  expect((await client.getSubscriber({ params: { id }, query: {} })).data.username).toBe('Anna');
});

test('a change whose commit the disk fails is answered as not known, and safe to send again with its key', async () => {
  const { send, client, ask } = await arrange();
  const run: StatementSync['run'] = Reflect.get(StatementSync.prototype, 'run');
  const runs = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...values
  ) {
    // A real disk cannot be made to fail at just this moment.
    if (this.sourceSQL === 'commit')
      throw Object.assign(new Error('disk I/O error'), { errcode: fsyncFailed });
    return Reflect.apply(run, this, values);
  });
  const create = { body: anna, ...withKey };
  expect(await ask('POST', '/subscribers', create)).toBe('503 change-unconfirmed');
  runs.mockRestore();
  expect((await send('POST', '/subscribers', create)).status).toBe(200);
  expect((await client.listSubscribers({ query: {} })).data.totalCount).toBe(1);
});
