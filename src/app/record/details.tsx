import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { limits, type ListName } from '../../contract/service/limits.ts';
import { hasFailed } from '../api/read-failure.tsx';
import { Detail } from '../components/detail.tsx';
import { Skeleton } from '../components/data-table.tsx';
import { localTime, counted } from '../components/format.ts';
import { RelativeTime, utcOf } from '../components/exact-time.tsx';
import { PersonName } from '../components/badge.tsx';
import { personOf } from '../subscriber/journal-entry.tsx';
import { paneActivityQuery } from '../subscriber/others.tsx';
import { usePermission, useSession } from '../api/session.ts';
import { type ShownRecord, useEditDisabledReason, useSavedFields } from './edit-record.tsx';
import { Section } from './section.tsx';
import { useBundles } from '../subscriber/bundles.ts';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';
import { FilterLink } from '../subscriber/filter-link.tsx';
import {
  partText,
  valueText,
  listsInOrder,
  partLabels,
  type PartName,
  partNames,
} from '../subscriber/subscriber-fields.ts';
import styles from './details.module.css';
import { Button } from '../components/button.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';

/** The fields of which a line says more than the value, or that another part of the pane shows. */
const otherFields = new Set<PartName>([
  'username',
  'email',
  'isTrial',
  'note',
  'accessToken',
  'maxConnections',
  'status',
  'expiresAt',
  'hls',
  'mpegTs',
  ...listsInOrder,
]);
const plainFields = partNames.filter((name) => !otherFields.has(name));

/** The lists that limit who can watch, which most calls are about. */
const limitingLists = listsInOrder.filter((list) => list !== 'bundles');

/** The filter of the list that finds a value of each. */
const filterOf = { bundles: 'bundle', countries: 'country', ipAddresses: 'ip', userAgents: 'app' } as const;

/**
 * Every field of a subscriber but the note, first what most calls are about; the lists are grey bars until the whole
 * record is loaded.
 *
 * @param props.tools buttons beside the heading
 */
export function Details(props: ShownRecord & { tools: ReactNode }) {
  const { subscriber, changed } = props;
  const statusHelp = useSession()?.statusHelp;
  const { allowed } = usePermission('updateSubscriber');
  const expiry = Date.parse(subscriber.expiresAt);
  const utc = utcOf(expiry);
  const plan = subscriber.isTrial ? 'Trial' : 'Paid';
  return (
    <Section name="Details" tools={props.tools}>
      <dl className="stack">
        <Detail name={partLabels.maxConnections} isChanged={changed.has('maxConnections')}>
          <div className="row">
            {partText('maxConnections', subscriber)}
            <div className={styles.end}>{allowed && <ConnectionButtons {...props} />}</div>
          </div>
        </Detail>
        {limitingLists.map((list) => (
          <Values key={list} list={list} {...props} />
        ))}
        <Detail name="Last change">
          <LastChange id={subscriber.id} complete={props.complete} />
        </Detail>
        <Detail name={partLabels.status} isChanged={changed.has('status')}>
          {props.status ?? subscriber.status}
          <FilterLink
            by={{ status: subscriber.status }}
            value={`status ${props.status ?? subscriber.status}`}
          />
          <p className="aside">{statusHelp}</p>
        </Detail>
        <Detail name="Plan" isChanged={changed.has('isTrial')}>
          {plan}
          <FilterLink by={{ trial: subscriber.isTrial }} value={`plan ${plan}`} />
        </Detail>
        <Detail name={fieldLabels.expiresAt} isChanged={changed.has('expiresAt')}>
          {localTime(expiry)}
          {utc !== null && <span className="aside"> ({utc})</span>}
        </Detail>
        {plainFields.map((name) => (
          <Detail key={name} name={partLabels[name]} isChanged={changed.has(name)}>
            {partText(name, subscriber)}
          </Detail>
        ))}
        <Detail name="Formats" isChanged={changed.has('hls') || changed.has('mpegTs')}>
          {(['hls', 'mpegTs'] as const)
            .filter((name) => subscriber[name])
            .map((name) => fieldLabels[name])
            .join(', ') || <Nothing>none</Nothing>}
        </Detail>
        <Values list="bundles" {...props} />
      </dl>
    </Section>
  );
}

function Values(props: ShownRecord & { list: ListName }) {
  const { list } = props;
  const { allowed } = usePermission('updateSubscriber');
  const bundles = useBundles();
  const values = props.subscriber[list];
  const change = allowed && <ChangeList {...props} />;
  return (
    <Detail name={fieldLabels[list]} isChanged={props.changed.has(list)}>
      <ul className="row">
        {values?.map((value) => {
          const text = valueText(list, value, bundles);
          return (
            <li key={value} className="chip">
              {list === 'ipAddresses' || list === 'userAgents' ? <code>{text}</code> : text}
              <FilterLink by={{ [filterOf[list]]: value }} value={text} />
            </li>
          );
        })}
        {values?.length === 0 && (
          <li>
            <Nothing>{list === 'bundles' ? 'none' : 'No limit'}</Nothing>
          </li>
        )}
        {!values && <li>{props.complete ? <Nothing>unknown</Nothing> : <Skeleton width={12} />}</li>}
        {/* One place for both, so that it keeps the focus when the first value is added. */}
        {change && <li className={styles.end}>{change}</li>}
      </ul>
    </Detail>
  );
}

/** The time of the newest entry of the activity, and who made it. */
function LastChange({ id, complete }: { id: number; complete: boolean }) {
  const activity = useQuery({ ...paneActivityQuery(id), enabled: complete });
  const entry = activity.data?.items[0];
  if (activity.isPending && !hasFailed(activity)) return <Skeleton width={12} />;
  if (!entry) return <Nothing>{activity.data ? 'none' : 'unknown'}</Nothing>;
  return (
    <>
      <RelativeTime at={entry.at} /> by <PersonName person={personOf(entry)} />
    </>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <span className="aside">{children}</span>;
}

/** One connection fewer, and one more. */
function ConnectionButtons(props: ShownRecord) {
  const { username, maxConnections } = props.subscriber;
  const disabledReason = useEditDisabledReason(props);
  const saving = useSavedFields(props, {
    done: 'the connection limit was changed',
    text: ({ maxConnections: most }) => `${username} can now watch on ${counted(most, 'device')} at once.`,
  });
  const step = (by: number, sign: string, name: string) => {
    const next = maxConnections + by;
    const isPossible = next >= 1 && next <= limits.connections;
    return (
      <Button
        variant="quiet"
        small
        square
        aria-label={name}
        reason={disabledReason ?? (isPossible ? undefined : `From 1 to ${limits.connections}.`)}
        busy={saving.isBusy}
        onClick={() => void saving.save({ maxConnections: next })}
      >
        {sign}
      </Button>
    );
  };
  return (
    <>
      {step(-1, '−', 'One connection fewer')}
      {step(1, '+', 'One connection more')}
    </>
  );
}

/** The button that opens one of the lists to add and take entries. The code for it is loaded then. */
function ChangeList(props: ShownRecord & { list: ListName }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const part = useLazyModule(() => import('./list-dialog.tsx'), open, close);
  const reason = useEditDisabledReason(props);
  return (
    <>
      <Button
        variant="quiet"
        small
        aria-label={`Edit ${fieldLabels[props.list]}`}
        reason={reason}
        onClick={() => setOpen(true)}
      >
        Edit
      </Button>
      {open && part && <part.ListDialog {...props} onClose={close} />}
    </>
  );
}
