import type { ReactNode } from 'react';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { Badge } from '../components/badge.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { localTime } from '../components/time.ts';
import { utcOf } from '../components/exact-time.tsx';
import { countryName } from '../subscriber/countries.ts';
import { fieldLabels, partLabels, type PartName } from '../subscriber/subscriber-fields.ts';
import styles from '../components/facts.module.css';

const lists = ['bundles', 'countries', 'ipAddresses', 'userAgents'] as const;

/** Every field of a subscriber but the note; the lists are grey bars until the whole record is loaded. */
export function Facts(props: {
  subscriber: SubscriberWithLists;
  complete: boolean;
  /** The name of the status. */
  status: string | undefined;
  /** Where a status is set. */
  statusHelp: string | undefined;
  /** The fields that someone else has changed just now. */
  changed: ReadonlySet<PartName>;
}) {
  const { subscriber, complete, changed } = props;
  const expiry = Date.parse(subscriber.expiresAt);
  const utc = utcOf(expiry);
  return (
    <dl className={styles.facts}>
      <Fact name={partLabels.status} changed={changed.has('status')}>
        {props.status ?? subscriber.status}
        <p className={styles.aside}>{props.statusHelp}</p>
      </Fact>
      <Fact name={fieldLabels.expiresAt} changed={changed.has('expiresAt')}>
        {localTime(expiry)}
        {utc !== null && <span className={styles.aside}> ({utc})</span>}
      </Fact>
      <Fact name={fieldLabels.maxConnections} changed={changed.has('maxConnections')}>
        {subscriber.maxConnections}
      </Fact>
      <Fact name="Formats" changed={changed.has('hls') || changed.has('mpegTs')}>
        {(['hls', 'mpegTs'] as const)
          .filter((name) => subscriber[name])
          .map((name) => fieldLabels[name])
          .join(', ') || <Nothing>none</Nothing>}
      </Fact>
      {lists.map((list) => (
        <Values
          key={list}
          name={fieldLabels[list]}
          values={list === 'countries' ? subscriber.countries?.map(countryName) : subscriber[list]}
          complete={complete}
          changed={changed.has(list)}
          code={list === 'ipAddresses' || list === 'userAgents'}
          empty={list === 'bundles' ? 'none' : 'No limit'}
        />
      ))}
    </dl>
  );
}

function Values(props: {
  name: string;
  values: readonly (string | number)[] | undefined;
  complete: boolean;
  changed: boolean;
  code: boolean;
  /** What an empty list means. */
  empty: string;
}) {
  const { values } = props;
  return (
    <Fact name={props.name} changed={props.changed}>
      {values === undefined && (props.complete ? <Nothing>unknown</Nothing> : <Skeleton width={12} />)}
      {values?.length === 0 && <Nothing>{props.empty}</Nothing>}
      {values && values.length > 0 && (
        <ul className={styles.values} data-code={props.code || undefined}>
          {values.map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      )}
    </Fact>
  );
}

function Fact(props: { name: string; changed: boolean; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{props.name}</dt>
      <dd>
        {props.children}
        {props.changed && (
          <>
            {' '}
            <Badge tone="warn">Changed</Badge>
          </>
        )}
      </dd>
    </div>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <span className={styles.aside}>{children}</span>;
}
