import type { OverviewNumbers } from '../../contract/bff/overview.ts';
import { mostValues } from '../../contract/service/statistics.ts';
import { grouped } from '../components/format.ts';
import { useBundles } from '../subscriber/bundles.ts';
import { valueText } from '../subscriber/subscriber-fields.ts';
import { Chart, type Bar } from './chart.tsx';

const lists = {
  bundles: {
    title: 'Subscribers by bundle',
    unit: 'Bundle',
    filter: 'bundle',
    code: 'Number',
    nothing: 'Nobody has a bundle.',
    note: 'Counted once in each bundle that they have.',
  },
  countries: {
    title: 'Subscribers by country',
    unit: 'Country',
    filter: 'country',
    code: 'Code',
    nothing: 'Nobody is limited to countries.',
    note: 'Without those who may watch anywhere.',
  },
} as const;

/** Number of subscribers with each value of a list. */
export function ValueChart(props: { list: keyof typeof lists; numbers: OverviewNumbers | null }) {
  const { list, numbers } = props;
  const { filter, code, nothing, ...chart } = lists[list];
  const bundles = useBundles();
  const counts = numbers?.values?.[list];
  const bars = counts?.most.map(({ value, count }) => ({
    ...named(valueText(list, value, bundles), String(value), count),
    link: { to: '/subscribers', search: { [filter]: value } } as const,
  }));
  const { values = 0, count = 0 } = counts?.others ?? {};
  const others = values > 0 ? [named(`${grouped(values)} more`, '', count)] : [];
  return (
    <Chart
      {...chart}
      series={['Subscribers']}
      expected={mostValues + 1}
      bars={numbers ? [...(bars ?? []), ...others] : undefined}
      file={list}
      fileHead={[code, chart.unit]}
      nothing={counts ? nothing : uncounted(numbers)}
    />
  );
}

const named = (name: string, code: string, count: number): Bar => ({
  label: name,
  name,
  cells: [code, name],
  values: [count],
  link: null,
});

const uncounted = (numbers: OverviewNumbers | null) =>
  numbers?.values === null
    ? 'This is being prepared after an update. It appears here in a few minutes.'
    : 'This subscriber service doesn’t count this.';
