import { beforeEach, describe, expect, it, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { versionOf } from '../../../src/bff/upstream/reads.ts';
import { sha256 } from '../../../src/lib/crypto.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { Subscriber, SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { createTestDesk, journalKey, runningTime } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { prepare, runToEnd } from '../../support/bff/jobs.ts';
import type { Answer } from '../../support/bff/upstream.ts';
import { createOtherService, otherUpstream } from '../../support/bff/other-service.ts';
import { asAnswered, person } from '../../support/people.ts';

/** Two managers whose BFF uses a service without versions. */
async function openWithoutVersions() {
  // Of two saves one waits while the other works: where waiting moved the time on, the other would run out of it.
  const { deps, db, as } = await createTestDesk({ staff: {}, time: runningTime() });
  const other = createOtherService({ count: 20, now: deps.clock });
  const ifMatches: (string | null)[] = [];
  const fetch = async (request: Request) => {
    ifMatches.push(request.headers.get('If-Match'));
    return other.fetch(request);
  };
  const upstream = otherUpstream(fetch);
  const [ann, bob] = [as('manager', 'Ann', { upstream }), as('manager', 'Bob', { upstream })];
  const at = (journalKey: string) => as('viewer', 'Vera', { upstream, journalKey });
  return { ...other, db, ifMatches, ann, bob, at };
}

let there: Awaited<ReturnType<typeof openWithoutVersions>>;
beforeEach(async () => {
  there = await openWithoutVersions();
});

const mac = createMac(journalKey);
const params = { id: 5 };
const include = [...listNames];
const record = () => SubscriberDetail.parse(there.customers.get(5));

describe('a service without versions', () => {
  it('has the same version in every read of a record, by id and by token', async () => {
    const version = await versionOf(record(), mac);
    const reads = [
      await there.ann.api.getSubscriber({ params, query: {} }),
      await there.ann.api.getSubscriber({ params, query: { include: ['bundles'] } }),
      await there.bob.api.getSubscriber({ params, query: { include } }),
      await there.bob.bff.getSubscriberByToken({ body: { accessToken: record().accessToken } }),
    ];
    expect(reads.map(({ etag }) => etag)).toEqual(reads.map(() => version));
  });

  it('gives viewers a version from which nobody can tell a token without the key', async () => {
    const versionFor = async (key: string) =>
      (await there.at(key).api.getSubscriber({ params, query: { include } })).etag;
    const version = await versionFor(journalKey);
    // Two servers of a deployment agree, and no other deployment does.
    expect(await versionFor(journalKey)).toBe(version);
    expect(await versionFor('B'.repeat(43))).not.toBe(version);
    // All that a viewer would need to try tokens, if it were a plain digest of the fields in any usual way.
    const values = Object.keys(SubscriberDetail.shape).map((name) => {
      const value: unknown = Object.entries(record()).find(([field]) => field === name)?.[1];
      return Array.isArray(value) ? value.map(String).toSorted() : value;
    });
    for (const text of [values, record()].map((one) => JSON.stringify(one)))
      for (const prefix of ['', 'version\n']) expect(version).not.toContain(await sha256(prefix + text));
  });

  it('is asked for all lists, and the browser gets only those that it asked for', async () => {
    const { bundles } = record();
    await there.ann.api.getSubscriber({ params, query: {} });
    const before = there.requests.length;
    const some = await there.ann.api.getSubscriber({ params, query: { include: ['bundles'] } });
    expect(some.data).toEqual(asAnswered({ ...Subscriber.parse(record()), bundles }));
    expect((await there.ann.api.getSubscriber({ params, query: {} })).data).toEqual(
      asAnswered(Subscriber.parse(record())),
    );
    // The BFF has learned from the first read to ask for all lists at once.
    expect(there.requests.slice(before).map(({ query }) => query['include'])).toEqual([
      'bundles,ipAddresses,userAgents,countries',
      'bundles,ipAddresses,userAgents,countries',
    ]);
  });

  it('is protected from overwriting what another user saved', async () => {
    const { etag } = await there.ann.api.getSubscriber({ params, query: {} });
    const headers = { 'If-Match': etag ?? '' };
    const saved = await there.bob.api.updateSubscriber({ params, body: { note: 'Bob.' } }, { headers });
    expect(saved.etag).toBe(await versionOf(record(), mac));
    const mine = there.ann.api.updateSubscriber({ params, body: { note: 'Ann.' } }, { headers });
    await expect(mine).rejects.toMatchObject({
      code: 'changed-meanwhile',
      obstacles: { current: { note: 'Bob.' }, changedBy: { name: 'Bob' } },
    });
    const again = await there.ann.api.updateSubscriber(
      { params, body: { note: 'Ann.' } },
      { headers: { 'If-Match': saved.etag ?? '' } },
    );
    expect(again.data.note).toBe('Ann.');
    const fresh = await there.ann.api.regenerateToken(
      { params },
      { headers: { 'If-Match': again.etag ?? '' } },
    );
    expect(fresh.etag).toBe(await versionOf(record(), mac));
    await expect(there.bob.api.deleteSubscriber({ params }, { headers })).rejects.toMatchObject({
      status: 412,
    });
    await there.bob.api.deleteSubscriber({ params }, { headers: { 'If-Match': fresh.etag ?? '' } });
    expect(there.customers.has(5)).toBe(false);
    // Our own versions are not sent, because the service would not know them.
    expect(new Set(there.ifMatches)).toEqual(new Set([null]));
  });

  it('gets only one of two simultaneous saves, in 100 rounds', async () => {
    for (let round = 0; round < 100; round += 1) {
      const { etag } = await there.ann.api.getSubscriber({ params, query: {} });
      const headers = { 'If-Match': etag ?? '' };
      const saves = [there.ann, there.bob].map((manager, index) =>
        manager.api
          .updateSubscriber({ params, body: { note: `${round} ${index}` } }, { headers })
          .then(({ data }) => data.note),
      );
      const results = await Promise.allSettled(saves);
      const won = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(won).toEqual([record().note]);
    }
  });
});

test.each([
  [true, '412 changed-meanwhile', { skipped: 1 }],
  [false, '200', { done: 1 }],
])(
  'a service with another ETag in each answer, of which its dialect says that it has versions: %s',
  async (versions, outcome, counts) => {
    const dialect = Dialect.parse({ include: 'comma', versions });
    const desk = await createTestDesk({ people: [person('anna')], upstream: { dialect } });
    let answers = 0;
    const tagged: Answer = async (_, next) => {
      const answer = await next();
      answer.headers.set('ETag', `"${(answers += 1)}"`);
      return answer;
    };
    Object.assign(desk.upstream, { operation: tagged, lookup: tagged });
    const manager = await desk.signIn('manager');
    const id = { params: { id: 1 } };
    const { etag } = await manager.api.getSubscriber({ ...id, query: { include: [...listNames] } });
    const headers = { 'If-Match': etag };
    const save = manager.ask('PUT', '/api/subscribers/1', { note: 'Called.' }, headers);
    expect(await outcomeOf(save)).toBe(outcome);
    const { id: job } = await prepare(manager, {
      kind: 'update',
      change: { set: { maxConnections: 9 } },
      targets: { ids: [1] },
    });
    expect((await runToEnd(manager, job)).counts).toMatchObject(counts);
  },
);

test('versionOf depends on every field, but not on the order of a list', async () => {
  const one = { ...record(), bundles: [1, 2] };
  const others = (Object.keys(one) as (keyof SubscriberDetail)[]).map((field) => {
    const value = one[field];
    const next = Array.isArray(value)
      ? [...value, 'more']
      : typeof value === 'number'
        ? value + 1
        : typeof value === 'boolean'
          ? !value
          : `${value}x`;
    return versionOf({ ...one, [field]: next }, mac);
  });
  const versions = [await versionOf(one, mac), ...(await Promise.all(others))];
  expect(new Set(versions).size).toBe(versions.length);
  expect(await versionOf({ ...one, bundles: [2, 1] }, mac)).toBe(versions[0]);
});
