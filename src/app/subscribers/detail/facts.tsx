import type { ReactNode } from 'react';
import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { localTime } from '../../components/time.ts';
import { utcOf } from '../../components/exact-time.tsx';
import { countryName } from '../fields/countries.ts';
import styles from './facts.module.css';

/** Every field of a subscriber; placeholders for the lists until the whole record is loaded. */
export function Facts({ subscriber, complete }: { subscriber: SubscriberWithLists; complete: boolean }) {
  const limit = subscriber.maxConnections;
  const expiry = Date.parse(subscriber.expiresAt);
  return (
    <dl className={styles.facts}>
      <Fact name="Expires">
        {localTime(expiry)} <span className={styles.aside}>({utcOf(expiry)})</span>
      </Fact>
      <Fact name="Connections">{limit > 1 ? `up to ${limit}` : limit}</Fact>
      <Fact name="Formats">
        {[subscriber.hls && 'HLS', subscriber.mpegTs && 'MPEG-TS'].filter(Boolean).join(', ') || (
          <Nothing>none</Nothing>
        )}
      </Fact>
      <Values name="Bundles" values={subscriber.bundles} complete={complete} />
      <Values name="Countries" values={subscriber.countries?.map(countryName)} complete={complete} />
      <Values name="IP addresses" values={subscriber.ipAddresses} complete={complete} code />
      <Values name="User agents" values={subscriber.userAgents} complete={complete} code />
      <Fact name="Note">
        {subscriber.note ? <span className={styles.note}>{subscriber.note}</span> : <Nothing>none</Nothing>}
      </Fact>
    </dl>
  );
}

function Values(props: {
  name: string;
  values: readonly (string | number)[] | undefined;
  complete: boolean;
  code?: boolean;
}) {
  const { values } = props;
  return (
    <Fact name={props.name}>
      {values === undefined &&
        (props.complete ? <Nothing>not told by the service</Nothing> : <Skeleton width={12} />)}
      {values?.length === 0 && <Nothing>none</Nothing>}
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
