import { sql, type Kysely } from 'kysely';
import { changeHeaders, writeReason } from '../contract/http/change-headers.ts';
import { createSeededRandom, type SeededRandom } from '../service/samples/seeded-random.ts';
import type { ServiceTables } from '../service/schema.ts';
import type { ServiceClient } from './faults.ts';
import { colleague, names, type DataSet } from './settings.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/** Earlier work of colleagues. */
interface Past {
  /** A client of the service, as the person with this name uses it. */
  clientOf: (name: string) => ServiceClient;
  /** Moves the clock of their BFF. */
  moveTo: (time: number) => void;
}

type Step = (past: Past) => Promise<unknown>;

/**
 * Plans the changes of three colleagues in two weeks, one after the other, to be made through the BFF, so that its
 * journal and the subscribers fit together. For the same customers they are always the same.
 *
 * @param now when the demo begins, in ms since 1970
 */
export async function planHistory(
  db: Kysely<ServiceTables>,
  data: DataSet,
  now: number,
): Promise<readonly Step[]> {
  // Few subscribers are for looking at each change; among many, an empty activity would look wrong.
  if (data !== '2000' && data !== '50000') return [];
  const customers = await findCustomers(db, now);
  const seeded = createSeededRandom(7);
  const { support, manager } = names;
  const [paid, trials] = [[...customers.paid], [...customers.trials]];
  const changes = inventTimes(seeded, now).map((time): Step => {
    const name = seeded.one([support, support, colleague, colleague, manager]);
    const isUpgrade = seeded.chance(0.3);
    const one = (isUpgrade ? trials : paid).shift();
    const change = isUpgrade ? upgrade : inventChange(seeded);
    return async ({ clientOf, moveTo }) => {
      moveTo(time);
      if (one) await change({ client: clientOf(name), one, time });
    };
  });
  return [...changes, (past) => useTestBox(past, now)];
}

/** Added and, a day later, deleted again, so that there are as many subscribers as the data set says. */
async function useTestBox({ clientOf, moveTo }: Past, now: number): Promise<void> {
  moveTo(now - 6 * day);
  const expiresAt = new Date(now + day).toISOString();
  const body = { username: 'test-box', email: 'test-box@example.com', expiresAt };
  const { id } = (await clientOf(names.support).createSubscriber({ body })).data;
  moveTo(now - 5 * day);
  await clientOf(names.manager).deleteSubscriber({ params: { id } });
}

interface Work {
  client: ServiceClient;
  one: Customer;
  time: number;
}

type Customer = Awaited<ReturnType<typeof findCustomers>>['paid'][number];

/**
 * For whom colleagues worked: subscribers as they were generated, who can watch. Nobody counts on them, as on the expired
 * trials and on the people of the scenarios.
 */
async function findCustomers(db: Kysely<ServiceTables>, now: number) {
  const find = (isTrial: 0 | 1) =>
    db
      .selectFrom('subscribers')
      .select(['id', 'expires_at', 'note', 'max_connections'])
      .where('is_trial', '=', isTrial)
      .where('expires_at', '>', now + day)
      .where('id', '>', 120)
      .orderBy(sql`id * 7919 % 1999`)
      .limit(60)
      .execute();
  return { paid: await find(0), trials: await find(1) };
}

/** Office hours (UTC) of two weeks, the earliest first. */
function inventTimes(seeded: SeededRandom, now: number): number[] {
  const today = Math.floor(now / day) * day;
  const days = Array.from({ length: 14 }, (_, back) => today - back * day);
  return days
    .flatMap((begin) =>
      Array.from({ length: seeded.whole(2, 4) }, () => begin + 7 * hour + seeded.whole(0, 9 * hour)),
    )
    .filter((time) => time < now - hour)
    .toSorted((a, b) => a - b);
}

const save = ({ client, one }: Work, body: Parameters<ServiceClient['updateSubscriber']>[0]['body']) =>
  client.updateSubscriber({ params: { id: one.id }, body });

/** A trial becomes paid, for a year. */
const upgrade = (work: Work) =>
  save(work, { isTrial: false, expiresAt: new Date(work.time + 365 * day).toISOString() });

function inventChange(seeded: SeededRandom): (work: Work) => Promise<unknown> {
  const note = seeded.one(notes);
  return seeded.weighted<(work: Work) => Promise<unknown>>([
    [45, (work) => save(work, { expiresAt: new Date(work.one.expires_at + 30 * day).toISOString() })],
    [30, (work) => save(work, { note: [work.one.note, note].filter((text) => text !== '').join('\n') })],
    [10, (work) => save(work, { maxConnections: Math.min(work.one.max_connections + 1, 5) })],
    [
      15,
      ({ client, one }) =>
        client.regenerateToken(
          { params: { id: one.id } },
          { headers: { [changeHeaders.reason]: writeReason('The link was posted in a forum.') } },
        ),
    ],
  ]);
}

const notes = [
  'Called: no picture. The app was out of date.',
  'Called: the stream stutters in the evening. Suggested a cable.',
  'New television, uses HLS now.',
  'Wants to pay yearly from next month on.',
];
