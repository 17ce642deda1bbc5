import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { entryKinds, kindOf, operationsOf } from '../../contract/bff/journal.ts';
import { staffQuery } from '../api/client.ts';
import { usePermission } from '../api/session.ts';
import { kindNames, operationNames } from '../changes/journal-entry.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import { FilterBar, FilterSelect } from '../components/filter-bar.tsx';
import { hasActivityFilter, periodNames, useActivityAddress, type Period } from './address.ts';
import styles from './activity-filters.module.css';

const periodLabels: Readonly<Record<Period, string>> = {
  today: 'Today',
  '7-days': '7 days',
  '30-days': '30 days',
};

/** The filters of the activity: who, what, when, and which subscriber. */
export function ActivityFilters() {
  const { address, filter, clear } = useActivityAddress();
  const kind = address.operation ? kindOf(address.operation) : address.kind;
  const operations = kind ? operationsOf[kind] : Object.values(operationsOf).flat();
  function clearAll(): void {
    clear();
    // The button disappears with the filters.
    document.querySelector('h1')?.focus();
  }
  return (
    <search aria-label="Activity">
      <FilterBar onClear={hasActivityFilter(address) ? clearAll : undefined}>
        <PersonFilter />
        <FilterSelect
          label="Kind"
          value={kind}
          onChange={(wanted) =>
            filter({ kind: entryKinds.find((name) => name === wanted), operation: undefined })
          }
        >
          <option value="">Kind: any</option>
          {entryKinds.map((name) => (
            <option key={name} value={name}>
              {kindNames[name]}
            </option>
          ))}
        </FilterSelect>
        <FilterSelect
          label="What"
          value={address.operation}
          onChange={(wanted) => filter({ kind, operation: operations.find((name) => name === wanted) })}
        >
          <option value="">What: anything</option>
          {operations.map((name) => (
            <option key={name} value={name}>
              {operationNames[name]}
            </option>
          ))}
        </FilterSelect>
        <div role="group" aria-label="Period" className={styles.period}>
          {periodNames.map((name) => (
            <ToggleButton
              key={name}
              pressed={address.period === name}
              onChange={(on) => filter({ ...noDays, period: on ? name : undefined })}
            >
              {periodLabels[name]}
            </ToggleButton>
          ))}
          <Day name="from" />
          <Day name="to" />
        </div>
        {address.subscriber !== undefined && (
          <ToggleButton pressed onChange={() => filter({ subscriber: undefined })}>
            Subscriber #{address.subscriber}
          </ToggleButton>
        )}
      </FilterBar>
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
    <FilterSelect label="Who" value={address.person} onChange={(person) => filter({ person })}>
      <option value="">Who: anyone</option>
      {address.person !== undefined && !isListed && <option value={address.person}>Unknown account</option>}
      {staff.map((member) => (
        <option key={member.id} value={member.id}>
          {nameOfPerson(member)}
        </option>
      ))}
    </FilterSelect>
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
        value={address[name] ?? ''}
        max="9999-12-31"
        onChange={(event) => filter({ from, to, period: undefined, [name]: event.target.value || undefined })}
      />
    </label>
  );
}

/** A button that is on or off. */
function ToggleButton(props: {
  pressed: boolean;
  onChange: (pressed: boolean) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-pressed={props.pressed}
      onClick={() => props.onChange(!props.pressed)}
    >
      {props.children}
    </button>
  );
}
