import type { ReactNode } from 'react';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { Detail } from '../components/detail.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { localTime } from '../components/time.ts';
import { utcOf } from '../components/exact-time.tsx';
import { countryName } from '../subscriber/countries.ts';
import { fieldLabels } from '../../contract/service/field-labels.ts';
import { partText } from '../subscriber/field-text.ts';
import { listsInOrder, partLabels, partNames, type PartName } from '../subscriber/subscriber-fields.ts';

/** The fields of which a line says more than the value, or that another part of the pane shows. */
const otherFields = new Set<PartName>([
  ...([
    'username',
    'email',
    'isTrial',
    'note',
    'accessToken',
    'status',
    'expiresAt',
    'hls',
    'mpegTs',
  ] as const),
  ...listsInOrder,
]);
const plainFields = partNames.filter((name) => !otherFields.has(name));

/** Every field of a subscriber but the note, what callers ask about first; the lists are grey bars until the whole record is loaded. */
export function Details(props: {
  subscriber: SubscriberWithLists;
  complete: boolean;
  /** The name of the status. */
  status: string | undefined;
  /** The place where a status is set. */
  statusHelp: string | undefined;
  /** The fields that someone else has changed just now. */
  changed: ReadonlySet<PartName>;
}) {
  const { subscriber, complete, changed } = props;
  const expiry = Date.parse(subscriber.expiresAt);
  const utc = utcOf(expiry);
  return (
    <dl className="stack">
      {plainFields.map((name) => (
        <Detail key={name} name={partLabels[name]} isChanged={changed.has(name)}>
          {partText(name, subscriber)}
        </Detail>
      ))}
      {listsInOrder.map((list) => (
        <Values
          key={list}
          name={fieldLabels[list]}
          values={list === 'countries' ? subscriber.countries?.map(countryName) : subscriber[list]}
          complete={complete}
          isChanged={changed.has(list)}
          code={list === 'ipAddresses' || list === 'userAgents'}
          empty={list === 'bundles' ? 'none' : 'No limit'}
        />
      ))}
      <Detail name="Formats" isChanged={changed.has('hls') || changed.has('mpegTs')}>
        {(['hls', 'mpegTs'] as const)
          .filter((name) => subscriber[name])
          .map((name) => fieldLabels[name])
          .join(', ') || <Nothing>none</Nothing>}
      </Detail>
      <Detail name={partLabels.status} isChanged={changed.has('status')}>
        {props.status ?? subscriber.status}
        <p className="aside">{props.statusHelp}</p>
      </Detail>
      <Detail name={fieldLabels.expiresAt} isChanged={changed.has('expiresAt')}>
        {localTime(expiry)}
        {utc !== null && <span className="aside"> ({utc})</span>}
      </Detail>
    </dl>
  );
}

function Values(props: {
  name: string;
  values: readonly (string | number)[] | undefined;
  complete: boolean;
  isChanged: boolean;
  code: boolean;
  /** The meaning of an empty list. */
  empty: string;
}) {
  const { values } = props;
  return (
    <Detail name={props.name} isChanged={props.isChanged}>
      {values === undefined && (props.complete ? <Nothing>unknown</Nothing> : <Skeleton width={12} />)}
      {values?.length === 0 && <Nothing>{props.empty}</Nothing>}
      {values && values.length > 0 && (
        <ul className="row">
          {values.map((value) => (
            <li key={value} className="chip">
              {props.code ? <code>{value}</code> : value}
            </li>
          ))}
        </ul>
      )}
    </Detail>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <span className="aside">{children}</span>;
}
