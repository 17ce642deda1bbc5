import { useQuery } from '@tanstack/react-query';
import { changes } from '../../contract/bff/journal.ts';
import { staffQuery } from '../api/staff.ts';
import { usePermission } from '../api/session.ts';
import { operationNames } from '../changes/journal-entry.tsx';
import { Button } from '../components/button.tsx';
import { hasActivityFilter, periodNames, type Period } from './address.ts';
import { useActivityAddress } from './use-activity-address.ts';
import styles from './filters.module.css';

const periodLabels: Readonly<Record<Period, string>> = {
  today: 'Today',
  '7-days': '7 days',
  '30-days': '30 days',
};

/** What narrows the journal: by whom, what, when and to whom. */
export function Filters() {
  const { address, filter, clear } = useActivityAddress();
  return (
    <search className={styles.filters} aria-label="Activity">
      <PersonFilter />
      <select
        aria-label="What"
        className={styles.choice}
        value={address.operation ?? ''}
        onChange={(event) => filter({ operation: changes.find((name) => name === event.target.value) })}
      >
        <option value="">What: anything</option>
        {changes.map((name) => (
          <option key={name} value={name}>
            {operationNames[name]}
          </option>
        ))}
      </select>
      <div role="group" aria-label="Period" className={styles.group}>
        {periodNames.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.toggle}
            aria-pressed={address.period === name}
            onClick={() => filter({ ...noDays, period: address.period === name ? undefined : name })}
          >
            {periodLabels[name]}
          </button>
        ))}
        <Day name="from" />
        <Day name="to" />
      </div>
      {address.subscriber !== undefined && (
        <button
          type="button"
          className={styles.toggle}
          aria-pressed="true"
          onClick={() => filter({ subscriber: undefined })}
        >
          Subscriber #{address.subscriber}
        </button>
      )}
      {hasActivityFilter(address) && (
        <Button
          look="quiet"
          onClick={() => {
            clear();
            // The button goes away with the filters.
            document.querySelector('h1')?.focus();
          }}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

const noDays = { period: undefined, from: undefined, to: undefined };

function PersonFilter() {
  const { address, filter } = useActivityAddress();
  const all = usePermission('seeAllActivity');
  const list = usePermission('listStaff');
  const staff = useQuery({ ...staffQuery, enabled: all.allowed && list.allowed }).data ?? [];
  if (!all.allowed || !list.allowed) return null;
  const isListed = staff.some(({ id }) => id === address.person);
  return (
    <select
      aria-label="Who"
      className={styles.choice}
      value={address.person ?? ''}
      onChange={(event) => filter({ person: event.target.value || undefined })}
    >
      <option value="">Who: anybody</option>
      {address.person !== undefined && !isListed && (
        <option value={address.person}>An account that is not listed</option>
      )}
      {staff.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Day({ name }: { name: 'from' | 'to' }) {
  const { address, filter } = useActivityAddress();
  const { from, to } = address;
  return (
    <label className={styles.day}>
      <span>{name === 'from' ? 'From' : 'To'}</span>
      <input
        type="date"
        className={styles.choice}
        value={address[name] ?? ''}
        max="9999-12-31"
        onChange={(event) => filter({ from, to, period: undefined, [name]: event.target.value || undefined })}
      />
    </label>
  );
}
