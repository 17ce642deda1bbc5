import { pageSizes, sortOrders } from '../../../src/contract/service/list-rules.ts';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import type { Subject } from './subject.ts';

/** One kind of request, its targets in ms at the median, and one of its requests, which says how many it found. */
export interface Case {
  name: string;
  /** Without one the time is shown only. */
  target?: Readonly<Record<Subject['engine'], number>>;
  run: (round: number) => Promise<number>;
}

const targets = {
  one: { SQLite: 0.2, PostgreSQL: 1 },
  firstPage: { SQLite: 40, PostgreSQL: 100 },
  anyPage: { SQLite: 100, PostgreSQL: 250 },
};

const filters = {
  everybody: {},
  'Expired=true': { Expired: true },
  'StatusId=1': { StatusId: 1 },
  'StatusIds=2,3': { StatusIds: '2,3' },
  'IsTrial=false': { IsTrial: false },
  'all three': { Expired: true, StatusId: 1, IsTrial: true },
} satisfies Record<string, ListQuery>;

/** Every case that is measured, for a service of so many subscribers. */
export async function casesFor(subject: Subject, rows: number): Promise<Case[]> {
  const some = await readSome(subject, rows);
  return [...oneByOne(subject, some), ...(await pages(subject)), ...values(subject), ...texts(subject, some)];
}

/** Subscribers from all over the table, the same in every run. */
async function readSome({ client }: Subject, rows: number) {
  const ids = Array.from({ length: 200 }, (_, index) => 1 + Math.floor((index / 200) * rows));
  return Promise.all(ids.map(async (id) => (await client.getSubscriber({ params: { id }, query: {} })).data));
}

type Known = Awaited<ReturnType<typeof readSome>>;

/** Another one in each round. */
const pick = <T>(some: readonly T[], round: number) => some[(round * 71) % some.length];

function oneByOne({ client }: Subject, some: Known): Case[] {
  const byId = async (round: number) => {
    await client.getSubscriber({ params: { id: pick(some, round)?.id ?? 1 }, query: {} });
    return 1;
  };
  const byToken = async (round: number) => {
    const { accessToken = '' } = pick(some, round) ?? {};
    await client.getSubscriberByToken({ params: { accessToken }, query: {} });
    return 1;
  };
  return [
    { name: 'by id', target: targets.one, run: byId },
    { name: 'by token', target: targets.one, run: byToken },
  ];
}

async function pages(subject: Subject): Promise<Case[]> {
  const cases: Case[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const count = await countOf(subject, filter);
    const last = Math.max(1, Math.ceil(count / pageSizes.usual));
    for (const SortBy of [undefined, ...sortOrders])
      for (const [which, Page] of Object.entries({
        'page 1': 1,
        'the middle': Math.ceil(last / 2),
        'the last page': last,
      }))
        cases.push({
          name: `${name}, by ${SortBy ?? 'id'}, ${which}`,
          target: Page === 1 ? targets.firstPage : targets.anyPage,
          run: () => countOf(subject, { ...filter, SortBy, Page }),
        });
  }
  return cases;
}

/** First pages by what subscribers may use: values that many have, few and nobody, alone and with another filter or order. */
function values(subject: Subject): Case[] {
  const filters = {
    'Bundle 1': { Bundle: 1 },
    'Country NO': { Country: 'NO' },
    'UserAgent vlc': { UserAgent: 'vlc' },
    'IpAddress 203.0.113.7': { IpAddress: '203.0.113.7' },
    'IpAddress 198.51.100.0/24': { IpAddress: '198.51.100.0/24' },
    'Bundle 1, expired trials': { Bundle: 1, Expired: true, IsTrial: true },
    'Bundle 1, Country NO': { Bundle: 1, Country: 'NO' },
    'Bundle 1, by username': { Bundle: 1, SortBy: 'username' },
  } satisfies Record<string, ListQuery>;
  return Object.entries(filters).map(([name, filter]) => ({
    name,
    target: targets.firstPage,
    run: () => countOf(subject, filter),
  }));
}

/** Parts of usernames from all over, none of them twice in a row: what a person types while a caller waits. */
function texts(subject: Subject, some: Known): Case[] {
  const parts = (length: number) =>
    some.map(({ username }) => [...username]).filter((name) => name.length >= length);
  const common = [{}, { Expired: true }].map((filter) => ({
    name: `Email contains what all have${'Expired' in filter ? ', Expired=true' : ''}`,
    run: () => countOf(subject, { Email: 'example', ...filter }),
  }));
  const parted = [1, 2, 3, 8].flatMap((length) =>
    [undefined, 'username' as const].map((SortBy) => {
      const names = parts(length);
      const text = (round: number) => {
        const name = pick(names, round) ?? [];
        return name.slice(name.length - length).join('');
      };
      return {
        name: `Username contains ${length} characters, by ${SortBy ?? 'id'}`,
        // A shorter text is in no index: all subscribers are read.
        ...(length >= 3 && { target: targets.firstPage }),
        run: (round: number) => countOf(subject, { Username: text(round), SortBy }),
      };
    }),
  );
  return [...parted, ...common];
}

async function countOf({ client }: Subject, query: ListQuery): Promise<number> {
  return (await client.listSubscribers({ query })).data.totalCount;
}
