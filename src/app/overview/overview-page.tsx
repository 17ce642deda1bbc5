import { queryOptions, useIsFetching, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { changes, type ActivityTotals, type Change } from '../../contract/bff/journal.ts';
import { overviewLimits, type ExpiryWeek, type OverviewNumbers } from '../../contract/bff/overview.ts';
import { clientOf } from '../api/client.ts';
import { activityTotalsQuery } from '../subscriber/journal-entry.tsx';
import { intervalAfterFailure } from '../api/errors.ts';
import { List, useList, type Column } from '../api/list.tsx';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { usePermission } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped, clockTime } from '../components/format.ts';
import { localDay } from '../components/exact-time.tsx';
import { locale } from '../components/locale.ts';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { nameOfPerson, PersonName } from '../components/badge.tsx';
import { browserZone } from '../subscriber/extensions.ts';
import { withFilter, type ListAddressChange } from '../subscriber/list-address.ts';
import { Chart, CsvButton, Tile, type Bar } from './chart.tsx';
import { ValueChart } from './value-chart.tsx';
import styles from './overview-page.module.css';

const { weeks, days } = overviewLimits;

/** Pause between reads while subscribers are counted, in ms. */
const pollInterval = 5_000;

/** The numbers of the overview. The BFF counts them once a minute. */
const overviewQuery = queryOptions({
  queryKey: ['getOverview'],
  queryFn: async ({ client, signal }) => (await clientOf(client).getOverview({}, { signal })).data,
  staleTime: overviewLimits.lifetime,
  refetchInterval: (query) => (query.state.data?.counting ? pollInterval : intervalAfterFailure(query)),
  meta: { awaited: 'the overview' },
});

/** Changes of the last weeks. @param zone an IANA name, such as `Europe/Oslo` */
const overviewChangesQuery = (zone: string) =>
  queryOptions({
    queryKey: ['getOverviewChanges', zone],
    queryFn: async ({ client, signal }) =>
      (await clientOf(client).getOverviewChanges({ query: { zone } }, { signal })).data,
    staleTime: overviewLimits.lifetime,
  });

/** The first things that a manager wants to know: who can watch, who expires when, and what was changed here. */
export function OverviewPage() {
  const cache = useQueryClient();
  const read = useQuery(overviewQuery);
  const isReading = useIsFetching(isOfPage) > 0;
  const { numbers = null, counting = null } = read.data ?? {};
  return (
    <Page
      title="Overview"
      aside={
        <>
          <p className="muted" role="status">
            {numbers && `As of ${clockTime(Date.parse(numbers.at))}`}
          </p>
          <Button
            busy={isReading}
            title="The numbers are counted once a minute at most."
            onClick={() => void cache.refetchQueries({ ...isOfPage, type: 'active' })}
          >
            Refresh
          </Button>
        </>
      }
    >
      {counting && <Counting {...counting} isFirst={numbers === null} />}
      <ReadFailure what="the overview" read={read} />
      {(numbers !== null || !hasFailed(read)) && <Numbers numbers={numbers} />}
      <Changes />
    </Page>
  );
}

/** Everything that this page reads. */
const isOfPage = {
  predicate: ({ queryKey: [name] }: Pick<Query, 'queryKey'>) =>
    name === 'getOverview' || name === 'getOverviewChanges' || name === 'listActivity',
};

/** Says how far counting is, for a service that cannot count by itself or takes long. */
function Counting({ read, total, isFirst }: { read: number; total: number | null; isFirst: boolean }) {
  return (
    <Notice tone="warn">
      {total === null ? (
        'The subscriber service takes long to count. '
      ) : (
        <>
          The subscriber service can’t count by expiry and plan, so we’re reading every subscriber, at most
          12,000 a minute. {total > 0 && `${grouped(read)} of ${counted(total, 'subscriber')} so far. `}
        </>
      )}
      {isFirst ? 'The numbers appear here when this is done.' : 'Until then, you see the earlier numbers.'}
    </Notice>
  );
}

type CountName = 'canWatch' | 'trials' | 'expiredTrials' | 'expiredPaid' | 'expiringIn30Days';

function Numbers({ numbers }: { numbers: OverviewNumbers | null }) {
  const total = numbers?.total ?? 0;
  const [week] = numbers?.next ?? [];
  /** The group that is counted, and below it its share of all: two lines also before the numbers are there. */
  const about = (who: string, count: number | undefined, more?: string | false) => (
    <>
      {who}
      <br />
      {more ||
        (count !== undefined && total > 0 && `${share(count, total)} of ${grouped(total)}`) ||
        '\u00a0'}
    </>
  );
  /** A tile with the share of all that a group is. */
  const tile = (label: string, name: CountName, who: string, filter: ListAddressChange, tone?: 'error') => (
    <Tile
      label={label}
      tone={tone}
      value={numbers?.[name]}
      about={about(who, numbers?.[name])}
      link={toList(filter)}
    />
  );
  const status = numbers?.activeStatus;
  return (
    <>
      <div className={`columns ${styles.tiles}`} aria-busy={numbers === null}>
        {status !== null && tile('Can watch now', 'canWatch', active, { status, expired: false })}
        {status !== null && tile('Trials running', 'trials', active, { status, expired: false, trial: true })}
        {tile('Expired trials', 'expiredTrials', anyStatus, { expired: true, trial: true }, 'error')}
        {tile('Expired, paid', 'expiredPaid', anyStatus, { expired: true, trial: false }, 'error')}
        <Tile
          label="Expire in 7 days"
          tone="warning"
          value={numbers?.expiringIn7Days}
          about={about(
            anyStatus,
            undefined,
            week && `${counted(week.trials, 'trial')}, ${grouped(week.paid)} paid`,
          )}
          link={toList({ expiresFrom: 'now', expiresTo: '7d' })}
        />
        {tile('Expire in 30 days', 'expiringIn30Days', anyStatus, { expiresFrom: 'now', expiresTo: '30d' })}
        {(numbers?.otherStatuses ?? loadingStatuses).map(({ id, name, count }) => (
          <Tile
            key={id}
            label={name}
            value={count}
            about={about('Expired or not', count)}
            link={toList({ status: id })}
          />
        ))}
      </div>
      <div className={`columns ${styles.charts}`}>
        <Chart
          title={`Expire in the next ${weeks} weeks`}
          {...ofExpiry}
          bars={numbers?.next.map(weekBar)}
          file="expiring"
          nothing="Nobody expires in these weeks."
        />
        <Chart
          title={`Expired in the last ${weeks} weeks`}
          {...ofExpiry}
          bars={numbers?.last.map(weekBar)}
          file="expired"
          nothing="Nobody expired in these weeks."
          note="Not renewed since."
        />
      </div>
      <div className={`columns ${styles.charts}`}>
        <ValueChart list="bundles" numbers={numbers} />
        <ValueChart list="countries" numbers={numbers} />
      </div>
    </>
  );
}

const [active, anyStatus] = ['Active, not expired', 'In any status'];

/** Most services have these; they keep the space. */
const loadingStatuses = [
  { id: -1, name: 'Suspended', count: undefined },
  { id: -2, name: 'Blocked', count: undefined },
];

const ofExpiry = { unit: 'Week', series: ['Trials', 'Paid'], expected: weeks, labelEvery: 2 } as const;

const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/** The list between two instants, in a whole address, so that it opens in a tab of its own. */
function weekBar({ from, to, trials, paid }: ExpiryWeek): Bar {
  return {
    label: dayMonth.format(Date.parse(from)),
    name: date.formatRange(Date.parse(from), Date.parse(to)),
    cells: [from, to],
    values: [trials, paid],
    link: toList({ expiresFrom: from, expiresTo: to, sort: 'expiresAt' }),
  };
}

const toList = (filter: ListAddressChange) =>
  ({ to: '/subscribers', search: withFilter({}, filter) }) as const;

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

/** A share in whole percents, which is never "0 %" of somebody or "100 %" of fewer than all. */
function share(part: number, whole: number): string {
  const of = part / whole;
  if (part > 0 && of < 0.01) return `< ${percent.format(0.01)}`;
  return part < whole && of > 0.99 ? `> ${percent.format(0.99)}` : percent.format(of);
}

/** Changes made here, by the journal. */
function Changes() {
  const zone = browserZone();
  const read = useQuery(overviewChangesQuery(zone));
  const everybody = usePermission('seeAllActivity').allowed;
  const first = read.data?.days[0];
  return (
    <>
      <ReadFailure what="the changes" read={read} />
      {(read.data !== undefined || !hasFailed(read)) && (
        <div className={`columns ${styles.charts}`}>
          <Chart
            title="Trials converted to paid"
            unit="Seven days"
            series={['Converted']}
            expected={weeks}
            labelEvery={2}
            bars={read.data?.upgrades.map(({ from, to, count }) => ({
              ...range(from, to),
              values: [count],
              // No list of activity has these alone.
              link: null,
            }))}
            file="conversions"
            nothing="No trial became paid in these weeks."
            note="By changes made here."
          />
          <Chart
            title={`Changes in the last ${days} days`}
            unit="Day"
            series={changes.map((name) => changeNames[name])}
            expected={days}
            labelEvery={7}
            bars={read.data?.days.map(({ from, to, counts }) => ({
              label: dayMonth.format(Date.parse(from)),
              name: date.format(Date.parse(from)),
              cells: [from, to],
              values: changes.map((name) => counts[name]),
              link: everybody ? toTotals(from, to) : null,
            }))}
            file="changes"
            nothing="Nothing was changed in these days."
          />
        </div>
      )}
      {everybody && first && <ByPerson from={first.from} />}
    </>
  );
}

const changeNames: Readonly<Record<Change, string>> = {
  createSubscriber: 'Created',
  updateSubscriber: 'Edited',
  deleteSubscriber: 'Deleted',
  regenerateToken: 'Tokens regenerated',
};

const lastDayOf = (to: string) => Date.parse(to) - 1;

const range = (from: string, to: string) => ({
  label: dayMonth.format(Date.parse(from)),
  name: date.formatRange(Date.parse(from), lastDayOf(to)),
  cells: [from, to],
});

/** The totals of activity count the changes of jobs one by one, as the bars do. */
const doneChanges = { kind: 'change', outcome: 'done', totals: true } as const;

const toTotals = (from: string, to: string): Bar['link'] => ({
  to: '/activity',
  search: { ...doneChanges, from: localDay(Date.parse(from)), to: localDay(lastDayOf(to)) },
});

type PersonTotals = ActivityTotals['people'][number];

/** Number of changes by person, for managers. */
function ByPerson({ from }: { from: string }) {
  const list = useList(activityTotalsQuery({ kind: 'change', from }));
  const people = list.data?.people.filter(({ counts }) => counts.some(({ done }) => done > 0));
  return (
    <section className="stack" aria-label="Changes by person">
      <div className="row ends">
        <h2 className="title">Changes by person, last {days} days</h2>
        <CsvButton
          title="Changes by person"
          file="changes-by-person"
          head={['Who', ...changes.map((name) => changeNames[name])]}
          rows={people?.map((person) => [
            nameOfPerson(person.staff),
            ...changes.map((name) => String(doneBy(person, name))),
          ])}
        />
      </div>
      <List
        list={list}
        what="the changes by person"
        label="Changes by person"
        columns={personColumns}
        keyOf={({ staff }) => staff.id}
        rows={people}
        expected={3}
        empty={<p className="muted">Nobody changed anything in these days.</p>}
      />
    </section>
  );
}

const doneBy = ({ counts }: PersonTotals, change: Change): number =>
  counts.find(({ operation }) => operation === change)?.done ?? 0;

const personColumns: readonly Column<PersonTotals>[] = [
  {
    label: 'Who',
    grey: 10,
    isRowHeading: true,
    cell: ({ staff }) => (
      <Link to="/activity" search={{ ...doneChanges, person: staff.id, period: `${days}-days` }}>
        <PersonName person={staff} />
      </Link>
    ),
  },
  // In a narrow table, the chart above has the kinds.
  ...changes.map((name) => ({
    label: changeNames[name],
    grey: 3,
    isNumber: true as const,
    isWideOnly: true as const,
    cell: (person: PersonTotals) => grouped(doneBy(person, name)),
  })),
  {
    label: 'Total',
    grey: 3,
    isNumber: true,
    cell: (person) => grouped(changes.reduce((sum, name) => sum + doneBy(person, name), 0)),
  },
];
