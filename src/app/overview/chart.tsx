import { Link, type LinkProps } from '@tanstack/react-router';
import { DataTable, type Column } from '../api/list.tsx';
import { useId, useState, type ReactNode } from 'react';
import { toCsv } from '../../contract/bff/csv.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/format.ts';
import { csvType, saveFile } from '../api/files.tsx';
import { Skeleton } from '../components/data-table.tsx';
import styles from './chart.module.css';

/** A bar, and the row of the table that says the same. */
export interface Bar {
  /** Below the bar, such as "22 Nov". */
  label: string;
  /** In full, such as "22 Nov – 28 Nov 2026". */
  name: string;
  /** Its cells in the file, before the values. */
  cells: readonly string[];
  /** One number for each series. */
  values: readonly number[];
  /** The list that it counts; null where there is none. */
  link: Pick<LinkProps, 'to' | 'search'> | null;
}

/** Bars, each a link, and behind a button the same as a table. Undefined bars are loading, and take the same space. */
export function Chart(props: {
  title: string;
  /** The heading of the bars' names in the table: "Week". */
  unit: string;
  /** Names of the numbers, one for each part of a bar. */
  series: readonly string[];
  bars: readonly Bar[] | undefined;
  /** Number of bars, also before they are loaded. */
  expected: number;
  /** Number of labels that fit below the bars: each nth has one. Without it, bars lie below each other. */
  labelEvery?: number;
  /** The name of the file, without its ending. */
  file: string;
  /** The headings of the cells of a bar. */
  fileHead?: readonly string[];
  /** Said instead of the bars if all are zero. */
  nothing: string;
  note?: ReactNode;
}) {
  const { title, unit, series, bars, note, fileHead = ['From (UTC)', 'To (UTC)'], labelEvery } = props;
  const [isTable, setTable] = useState(false);
  const heading = useId();
  const total = (bars ?? []).reduce((sum, bar) => sum + sumOf(bar), 0);
  return (
    <section className={`card ${styles.chart}`} aria-labelledby={heading}>
      <div className={`row ${styles.head}`}>
        <h2 id={heading} className="title">
          {title}
        </h2>
        <Button
          small
          variant="quiet"
          aria-pressed={isTable}
          reason={bars ? undefined : 'Loading…'}
          onClick={() => setTable(!isTable)}
        >
          Table
        </Button>
        <CsvButton
          title={title}
          file={props.file}
          rows={bars?.map(({ cells, values }) => [...cells, ...values.map(String)])}
          head={[...fileHead, ...series]}
        />
      </div>
      <p className={`row aside ${styles.about}`}>
        {series.length > 1 &&
          series.map((name, index) => (
            <span key={name} className={styles.key}>
              <span className={styles.swatch} data-series={index} />
              {name}
            </span>
          ))}
        <span>{note}</span>
      </p>
      {isTable && bars ? (
        <div className={styles.scroll}>
          <DataTable
            label={title}
            className={styles.table}
            columns={columnsOf(unit, series)}
            keyOf={({ name }) => name}
            rows={bars}
            expected={0}
          />
        </div>
      ) : (
        <div className={styles.plot} aria-busy={!bars}>
          {bars && total === 0 && <p className={`muted ${styles.nothing}`}>{props.nothing}</p>}
          {labelEvery === undefined ? (
            <LyingBars {...props} bars={bars} />
          ) : (
            <Bars {...props} labelEvery={labelEvery} bars={bars} />
          )}
        </div>
      )}
    </section>
  );
}

const sumOf = ({ values }: Bar): number => values.reduce((sum, value) => sum + value, 0);

/** Bars beside an axis. */
function Bars(props: { series: readonly string[]; bars: readonly Bar[] | undefined; labelEvery: number }) {
  const { series, bars, labelEvery } = props;
  const top = niceTop(Math.max(0, ...(bars ?? []).map(sumOf)));
  return (
    <div className={styles.figure} data-many={(bars && bars.length > 12) || undefined}>
      <div className={`muted ${styles.axis}`} aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{bars && grouped(value)}</span>
        ))}
      </div>
      {bars?.map((bar, index) => (
        <div key={bar.name} className={styles.slot} title={describe(bar, series)}>
          <BarLink bar={bar} series={series} className={styles.bar}>
            {bar.values.map((value, part) => (
              <span
                key={series[part]}
                className={value > 0 ? styles.part : undefined}
                data-series={part}
                style={{ blockSize: `${(100 * value) / top}%` }}
              />
            ))}
            {sumOf(bar) > 0 && <span className={styles.number}>{grouped(sumOf(bar))}</span>}
          </BarLink>
          {index % labelEvery === 0 && (
            <span
              className={`muted ${styles.label}`}
              data-even={index % (2 * labelEvery) > 0 || undefined}
              aria-hidden="true"
            >
              {bar.label}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

/** Bars below each other, for names that are too long to stand below a bar. What opens no list, all others, is a number alone. */
function LyingBars(props: { series: readonly string[]; bars: readonly Bar[] | undefined; expected: number }) {
  const { series, bars = [], expected } = props;
  const top = Math.max(1, ...bars.filter(({ link }) => link).map(sumOf));
  return (
    <ol className={styles.lying} style={{ minBlockSize: `${expected * 24}px` }}>
      {bars.map((bar) => (
        <li key={bar.name}>
          <BarLink bar={bar} series={series}>
            <span>{bar.label}</span>{' '}
            <span
              className={bar.link ? styles.part : undefined}
              style={{ inlineSize: `${bar.link ? (100 * sumOf(bar)) / top : 0}%` }}
            />
            <span>{grouped(sumOf(bar))}</span>
          </BarLink>
        </li>
      ))}
    </ol>
  );
}

/** Nothing to open behind a bar of zero, so that the keyboard passes only bars that there are. */
function BarLink(props: {
  bar: Bar;
  series: readonly string[];
  className?: string | undefined;
  children: ReactNode;
}) {
  const { bar, series, className = '', children } = props;
  const label = describe(bar, series);
  if (!bar.link || sumOf(bar) === 0)
    return (
      <span className={className} role="img" aria-label={label}>
        {children}
      </span>
    );
  return (
    <Link {...bar.link} className={className} aria-label={label}>
      {children}
    </Link>
  );
}

/** "22 – 28 Nov 2026: 30 (trials 12, paid 18)" */
function describe(bar: Bar, series: readonly string[]): string {
  const sum = `${bar.name}: ${grouped(sumOf(bar))}`;
  if (series.length < 2) return sum;
  const parts = series.map((name, index) => `${name.toLowerCase()} ${grouped(bar.values[index] ?? 0)}`);
  return `${sum} (${parts.join(', ')})`;
}

/** The end of an axis: at least 2, and twice a number of one digit and zeros, so that its middle is round. */
export function niceTop(most: number): number {
  const half = Math.max(1, most / 2);
  const unit = 10 ** Math.floor(Math.log10(half));
  return 2 * unit * Math.ceil(half / unit);
}

function columnsOf(unit: string, series: readonly string[]): Column<Bar>[] {
  const name: Column<Bar> = {
    label: unit,
    isRowHeading: true,
    cell: (bar) => (bar.link && sumOf(bar) > 0 ? <Link {...bar.link}>{bar.name}</Link> : bar.name),
  };
  const values: Column<Bar>[] = series.map((label, index) => ({
    label,
    isNumber: true,
    cell: (bar) => grouped(bar.values[index] ?? 0),
  }));
  const total: Column<Bar> = { label: 'Total', isNumber: true, cell: (bar) => grouped(sumOf(bar)) };
  return [name, ...values, ...(series.length > 1 ? [total] : [])];
}

/** Saves rows of texts as a file, once they are loaded. */
export function CsvButton(props: {
  title: string;
  /** The name of the file, without its ending. */
  file: string;
  head: string[];
  rows: string[][] | undefined;
}) {
  const { title, file, head, rows } = props;
  return (
    <Button
      small
      variant="quiet"
      aria-label={`Download CSV: ${title}`}
      reason={rows ? undefined : 'Loading…'}
      onClick={() => rows && saveFile(`${file}.csv`, csvType, toCsv([head, ...rows]))}
    >
      CSV
    </Button>
  );
}

/** A number that opens the list of those whom it counts. */
export function Tile(props: {
  label: string;
  value: number | undefined;
  about?: ReactNode;
  /** Its colour, unless it is 0. */
  tone?: 'error' | 'warning' | undefined;
  link: Pick<LinkProps, 'to' | 'search'>;
}) {
  const { value, tone } = props;
  const parts = (
    <>
      <span className="label">{props.label}</span>
      <span className={`${styles.tileValue} ${(value && tone) || ''}`}>
        {value === undefined ? <Skeleton width={5} /> : grouped(value)}
      </span>
      <span className={`aside ${styles.about}`}>{props.about}</span>
    </>
  );
  if (value === undefined) return <div className={`card ${styles.tile}`}>{parts}</div>;
  return (
    <Link {...props.link} className={`card ${styles.tile}`}>
      {parts}
    </Link>
  );
}
