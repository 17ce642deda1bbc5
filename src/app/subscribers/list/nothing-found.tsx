import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { grouped } from '../../components/count.ts';
import { hasFilter, type ListAddress } from '../address.ts';
import { nameOfStatus, useStatuses } from '../fields/status-badge.tsx';
import { useListAddress } from './use-list-address.ts';
import styles from './nothing-found.module.css';

/** An empty list says why it is empty and what to do about it. */
export function NothingFound({ total }: { total: number }) {
  const { address, clear, turnTo } = useListAddress();
  const status = nameOfStatus(address.status ?? Number.NaN, useStatuses());
  const { allowed, reason } = usePermission('createSubscriber');
  if (total > 0)
    return (
      <Empty
        title={`There is no page ${grouped(address.page ?? 1)}`}
        hint="The list has become shorter, or the link is old."
      >
        <Button
          onClick={() => {
            turnTo(1);
            // The button disappears with this message.
            document.getElementById('list-heading')?.focus();
          }}
        >
          Go to the first page
        </Button>
      </Empty>
    );
  if (hasFilter(address))
    return (
      <Empty title="Nobody matches" hint={`Looked for ${describe(address, status)}. Loosen one of them.`}>
        <Button onClick={clear}>Clear filters</Button>
      </Empty>
    );
  return (
    <Empty title="There are no subscribers yet" hint={reason ?? 'The first one is a minute away.'}>
      {allowed && (
        <Link to="/subscribers/new" className={buttonClass({ look: 'primary' })}>
          New subscriber
        </Link>
      )}
    </Empty>
  );
}

function describe(address: ListAddress, status: string | undefined): string {
  const parts = [
    address.username && `“${address.username}” in the username`,
    address.email && `“${address.email}” in the email`,
    address.status !== undefined && `status ${status ?? address.status}`,
    address.expired && 'expired ones',
    address.trial && 'trials',
  ];
  return new Intl.ListFormat(undefined, { type: 'conjunction' }).format(
    parts.filter((part) => typeof part === 'string'),
  );
}

function Empty(props: { title: string; hint: string; children: React.ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{props.title}</h2>
      <p>{props.hint}</p>
      {props.children}
    </div>
  );
}
