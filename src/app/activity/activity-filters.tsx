import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { entryKinds, operationsOf } from '../../contract/bff/journal.ts';
import { usePermission } from '../api/session.ts';
import { staffQuery, kindNames, operationWords, outcomeNames } from '../subscriber/journal-entry.tsx';
import { nameOfPerson } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { FilterBar, FilterSelect, useTypedFilter } from '../components/filter-bar.tsx';
import {
  hasActivityFilter,
  isReversed,
  kindIn,
  outcomesOf,
  periodNames,
  readSubscriberText,
  useActivityAddress,
  type Period,
} from './address.ts';
import search from '../components/search-box.module.css';
import styles from './activity-filters.module.css';

const periodLabels: Readonly<Record<Period, string>> = {
  today: 'Today',
  '7-days': '7 days',
  '30-days': '30 days',
};

/** The filters of the activity: who, what, when, and which subscriber. */
export function ActivityFilters() {
  const { address, filter, clear } = useActivityAddress();
  const kind = kindIn(address);
  const outcomes = outcomesOf(kind);
  const names = kind === 'sign-in' ? signInOutcomes : outcomeNames;
  const operations = kind ? operationsOf[kind] : Object.values(operationsOf).flat();
  return (
    <search aria-label="Activity">
      <FilterBar onClear={hasActivityFilter(address) ? clear : undefined}>
        <SubscriberFilter />
        <AccountFilter name="person" label="Who" any="Who: anyone" />
        <FilterSelect
          label="Kind"
          value={kind}
          options={entryKinds.map((value) => ({ value, label: kindNames[value] }))}
          onChange={(chosen) =>
            filter({ kind: entryKinds.find((name) => name === chosen), operation: undefined })
          }
        />
        <FilterSelect
          label="What"
          any="What: anything"
          value={address.operation}
          options={operations.map((value) => ({ value, label: operationWords[value][0] }))}
          onChange={(chosen) => filter({ kind, operation: operations.find((name) => name === chosen) })}
        />
        {(kind === 'staff' || address.about !== undefined) && (
          <AccountFilter name="about" label="About" any="About: anyone" />
        )}
        {outcomes.length > 0 && (
          <FilterSelect
            label="Outcome"
            value={address.outcome}
            options={outcomes.map((value) => ({ value, label: names[value] }))}
            onChange={(chosen) => filter({ outcome: outcomes.find((name) => name === chosen) })}
          />
        )}
        <div role="group" aria-label="Period" className="row">
          {periodNames.map((name) => (
            <Button
              key={name}
              aria-pressed={address.period === name}
              onClick={() => filter({ ...noDays, period: address.period === name ? undefined : name })}
            >
              {periodLabels[name]}
            </Button>
          ))}
          <Days />
        </div>
      </FilterBar>
    </search>
  );
}

const noDays = { period: undefined, from: undefined, to: undefined };

const signInOutcomes = { ...outcomeNames, done: 'Succeeded', refused: 'Failed' } as const;

/** Finds by a name or an ID. An access token never gets into the address. */
function SubscriberFilter() {
  const { address, filter } = useActivityAddress();
  const present = address.subscriber ?? '';
  const [text, setText] = useState(present);
  const { word, problem } = readSubscriberText(text);
  useTypedFilter({
    present,
    next: word,
    apply: () => filter({ subscriber: word || undefined }, true),
    replace: setText,
  });
  const hint = useId();
  return (
    <div className={`${search.box} ${styles.subscriber}`}>
      <Icon name="search" />
      <input
        type="search"
        aria-label="Subscriber"
        aria-describedby={hint}
        placeholder="Subscriber: name or #ID"
        title={subscriberHint}
        autoComplete="off"
        spellCheck={false}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span id={hint} hidden>
        {subscriberHint}
      </span>
      <p role="status" className={problem === '' ? 'visually-hidden' : `row card ${search.outcome}`}>
        {problem}
      </p>
    </div>
  );
}

const subscriberHint =
  'Part of the name that a subscriber had at the time, also one that was deleted. Or #7 for everything about the subscriber with this ID.';

/** A choice of a staff account, for those who may see everybody's activity. */
function AccountFilter({ name, label, any }: { name: 'person' | 'about'; label: string; any: string }) {
  const { address, filter } = useActivityAddress();
  const all = usePermission('seeAllActivity');
  const list = usePermission('listStaff');
  const staff = useQuery({ ...staffQuery, enabled: all.allowed && list.allowed }).data ?? [];
  if (!all.allowed || !list.allowed) return null;
  const chosen = address[name];
  const isUnknown = chosen !== undefined && !staff.some(({ id }) => id === chosen);
  const options = [
    ...(isUnknown ? [{ value: chosen, label: 'Unknown account' }] : []),
    ...staff.map((member) => ({ value: member.id, label: nameOfPerson(member) })),
  ];
  return (
    <FilterSelect {...{ label, any, options }} value={chosen} onChange={(id) => filter({ [name]: id })} />
  );
}

/** The first and the last day. A year that is still being typed, or days in the wrong order, filter nothing yet. */
function Days() {
  const { address, filter } = useActivityAddress();
  const { from = '', to = '', period } = address;
  const [typed, setTyped] = useState({ from, to });
  // A link, Back or a period that is chosen takes the place of what was typed.
  const present = [from, to, period].join();
  const [applied, setApplied] = useState(present);
  if (applied !== present) {
    setApplied(present);
    setTyped({ from, to });
  }
  function type(days: typeof typed): void {
    setTyped(days);
    if (areWhole(days) && !isReversed(days))
      filter({ period: undefined, from: days.from || undefined, to: days.to || undefined });
  }
  const problem = useId();
  const wrong = areWhole(typed) && isReversed(typed);
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="choice aside">
          <span>{name === 'from' ? 'From' : 'To'}</span>
          <input
            type="date"
            className={styles.date}
            value={typed[name]}
            min="1970-01-01"
            max="9999-12-31"
            aria-invalid={wrong || undefined}
            aria-describedby={wrong ? problem : undefined}
            onChange={(event) => type({ ...typed, [name]: event.target.value })}
          />
        </label>
      ))}
      <p role="status" id={problem} className={wrong ? `error ${styles.problem}` : 'visually-hidden'}>
        {wrong && 'To is before From. Change one of them to filter by these days.'}
      </p>
    </>
  );
}

/** While the digits of a year are typed, the browser gives years such as 0002. */
const areWhole = ({ from, to }: { from: string; to: string }) =>
  [from, to].every((day) => day === '' || day >= '1970');
