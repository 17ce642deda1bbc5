import type { ReactNode } from 'react';
import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { localTime } from '../../components/time.ts';
import { utcOf } from '../../components/exact-time.tsx';
import { countryName } from '../fields/countries.ts';
import { fieldLabels, partLabels } from '../fields/subscriber-fields.ts';
import styles from '../../components/facts.module.css';

/** Every field of a subscriber but the note; the lists are grey bars until the whole record is loaded. */
export function Facts(props: {
  subscriber: SubscriberWithLists;
  complete: boolean;
  /** The name of the status. */
  status: string | undefined;
  /** Where a status is set. */
  statusHelp: string | undefined;
}) {
  const { subscriber, complete } = props;
  const expiry = Date.parse(subscriber.expiresAt);
  const utc = utcOf(expiry);
  return (
    <dl className={styles.facts}>
      <Fact name={partLabels.status}>
        {props.status ?? subscriber.status}
        <p className={styles.aside}>{props.statusHelp}</p>
      </Fact>
      <Fact name={fieldLabels.expiresAt}>
        {localTime(expiry)}
        {utc !== null && <span className={styles.aside}> ({utc})</span>}
      </Fact>
      <Fact name={fieldLabels.maxConnections}>{subscriber.maxConnections}</Fact>
      <Fact name="Formats">
        {(['hls', 'mpegTs'] as const)
          .filter((name) => subscriber[name])
          .map((name) => fieldLabels[name])
          .join(', ') || <Nothing>none</Nothing>}
      </Fact>
      <Values name={fieldLabels.bundles} values={subscriber.bundles} complete={complete} empty="none" />
      <Values
        name={fieldLabels.countries}
        values={subscriber.countries?.map(countryName)}
        complete={complete}
      />
      <Values name={fieldLabels.ipAddresses} values={subscriber.ipAddresses} complete={complete} code />
      <Values name={fieldLabels.userAgents} values={subscriber.userAgents} complete={complete} code />
    </dl>
  );
}

function Values(props: {
  name: string;
  values: readonly (string | number)[] | undefined;
  complete: boolean;
  code?: boolean;
  /** What an empty list means. */
  empty?: string;
}) {
  const { values } = props;
  return (
    <Fact name={props.name}>
      {values === undefined && (props.complete ? <Nothing>unknown</Nothing> : <Skeleton width={12} />)}
      {values?.length === 0 && <Nothing>{props.empty ?? 'No limit'}</Nothing>}
      {values && values.length > 0 && (
        <ul className={styles.values} data-code={props.code}>
          {values.map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      )}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <span className={styles.aside}>{children}</span>;
}
