import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortOrders } from '../../../src/contract/service/list-rules.ts';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { engine } from '../../support/setup/database.ts';
import { startService } from '../../support/service/harness.ts';
import { listOf, readAll } from '../../support/service/list-as-array.ts';

/** Few letters, so that names collide. JavaScript's own lower case folds those with two cases as the service does. */
const letters = fc.constantFrom('a', 'A', 'b', 'Z', 'ø', 'Ø', 'é', '中', '👍', '%', '_', '\\', '.', '-', '"');
const text = (least: number, most: number) => fc.string({ unit: letters, minLength: least, maxLength: most });

const noon = Date.parse('2026-06-01T12:00:00Z');
const hour = 3_600_000;

const agents = ['VLC/3.0.20', 'vlc/2', 'Smart TV; 1080p', 'Ål-Player'];
const addresses =
  '203.0.113.7 203.0.113.0/24 203.0.0.0/16 203.0.113.200/25 198.51.100.1 0.0.0.0/0 2001:db8::7 2001:db8::/32 2001:DB8:0:0::/64 fe80::/10'.split(
    ' ',
  );
const some = <T>(values: readonly T[]) => fc.subarray([...values], { maxLength: 3 });
const lists = fc.record({
  note: fc.constantFrom('', 'Called back, "VIP" at 100%', 'På Åstvedt i Oslo', 'oslO'),
  bundles: some([1, 3, 12, 31]),
  countries: some(['NO', 'SE', 'DK']),
  ipAddresses: some(addresses),
  userAgents: some(agents),
});

const person = fc.record({
  lists,
  later: fc.option(lists),
  username: text(1, 5),
  mailbox: fc.constantFrom('ann', 'Bob', 'a_b', 'a.b'),
  hours: fc.integer({ min: -3, max: 3 }),
  isTrial: fc.boolean(),
  status: fc.integer({ min: 1, max: 3 }),
  end: fc.constantFrom('AaAa', 'aAaA', 'b_-9', 'c'),
});

/** Mostly left out, because with every filter set no rows would be left to compare. */
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const moment = fc.oneof(
  fc.constant('now'),
  fc.integer({ min: -3, max: 3 }).map((hours) => new Date(noon + hours * hour).toISOString()),
);

const query: fc.Arbitrary<ListQuery> = fc
  .record({
    Username: seldom(text(1, 4)),
    Email: seldom(fc.constantFrom('a', 'A_', '.b', 'BOB@', 'b@e', '%')),
    StatusId: seldom(fc.integer({ min: 1, max: 4 })),
    StatusIds: seldom(fc.constantFrom('1,3', '2,3,4', '2')),
    Expired: seldom(fc.boolean()),
    IsTrial: seldom(fc.boolean()),
    Bundle: seldom(fc.constantFrom(1, 3, 99)),
    Country: seldom(fc.constantFrom('NO', 'SE')),
    IpAddress: seldom(fc.constantFrom(...addresses, '203.0.113.8', '2000::/3', '203.0.113.9/32')),
    UserAgent: seldom(fc.constantFrom('vlc', 'TV', 'ÅL', 'ål-p', '3.0', '%')),
    Note: seldom(fc.constantFrom('Call', 'back, "v', 'åst', 'Ast', '00%', '_slo', 'slO')),
    TokenEnd: seldom(fc.constantFrom('aaaa', 'B_-9')),
    ExpiresFrom: seldom(moment),
    ExpiresTo: seldom(moment),
    SortBy: fc.constantFrom(...sortOrders, undefined),
    Page: seldom(fc.integer({ min: 1, max: 4 })),
    PageSize: fc.constantFrom(undefined, 1, 3, 8),
  })
  .map((all) => ({ ...all, StatusId: all.StatusIds === undefined ? all.StatusId : undefined }));

describe('the list', () => {
  it('has the page of a filtered array, for any filters, sort order and page', async () => {
    const { client, db } = await startService();
    const crowd = fc.uniqueArray(person, {
      selector: ({ username }) => username.toLowerCase(),
      minLength: 5,
      maxLength: 30,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(crowd, fc.array(query, { minLength: 5, maxLength: 12 }), async (people, queries) => {
        await db.deleteFrom('subscribers').execute();
        for (const { username, mailbox, hours, isTrial, status, end, lists: first, later } of people) {
          const expiresAt = new Date(noon + hours * hour).toISOString();
          const body = { username, email: `${mailbox}@example.com`, expiresAt, isTrial, ...first };
          const { id } = (await client.createSubscriber({ body })).data;
          if (later) await client.updateSubscriber({ params: { id }, body: later });
          const columns = { status_id: status, access_token: `${id}-${end}` };
          await db.updateTable('subscribers').set(columns).where('id', '=', id).execute();
        }
        const all = await readAll(client, [...listNames]);
        for (const each of queries) {
          const include = [...listNames];
          const { data } = await client.listSubscribers({ query: { ...each, include } });
          expect(data).toEqual(listOf(all, each, noon));
          const { SortBy: _, Page: __, ...filters } = each;
          const next = await client.listSubscribers({ query: { ...filters, AfterId: 0, include } });
          expect(next.data.items).toEqual(listOf(all, filters, noon).items);
        }
        // Who was deleted has left nothing behind.
        await db.deleteFrom('subscribers').execute();
        expect(await db.selectFrom('subscriber_values').selectAll().execute()).toEqual([]);
      }),
      { seed: 20_260_601, numRuns: engine === 'sqlite' ? 60 : 10 },
    );
  });
});
