import { useState } from 'react';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import { FilterBar, FilterSelect } from '../components/filter-bar.tsx';
import { Popover } from '../components/popover.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { hasFilter, toListQuery } from '../subscriber/list-address.ts';
import { expiryFilters, isSameExpiry } from '../subscriber/expiry-range.ts';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { SelectButton } from './use-selecting.tsx';
import { FindBox } from './find-box.tsx';
import { useListAddress } from './use-list-address.ts';

/**
 * The filters of the list: the find box, the status, the expiry and the plan.
 *
 * @param props.page the page of the address; undefined until it is loaded
 */
export function Filters({ page }: { page: SubscriberPage | undefined }) {
  const { address, filter, clear } = useListAddress();
  const statuses = useStatuses() ?? [];
  return (
    <FilterBar
      search={<FindBox page={page} />}
      onClear={hasFilter(address) ? clear : undefined}
      tools={
        <>
          <ColumnsButton />
          <SelectButton />
        </>
      }
    >
      {/* The find box has the email alone. */}
      {address.email !== undefined && address.username !== undefined && (
        <FilterSelect
          label="Username"
          value={address.username}
          onChange={() => filter({ username: undefined })}
        >
          <option value={address.username}>Username: {address.username}</option>
        </FilterSelect>
      )}
      <FilterSelect
        label="Status"
        value={address.status}
        onChange={(status) => filter({ status: status === undefined ? undefined : Number(status) })}
      >
        {statuses.map((status) => (
          <option key={status.id} value={status.id}>
            Status: {status.name}
          </option>
        ))}
      </FilterSelect>
      <ExpiryFilter />
      <FilterSelect
        label="Plan"
        value={address.trial === undefined ? undefined : String(address.trial)}
        onChange={(trial) => filter({ trial: trial === undefined ? undefined : trial === 'true' })}
      >
        <option value="true">Trial</option>
        <option value="false">Paid</option>
      </FilterSelect>
    </FilterBar>
  );
}

/** The choice of columns is loaded when the button is first pressed. */
function ColumnsButton() {
  const [isPressed, setPressed] = useState(false);
  const choice = useLazyModule(
    () => import('./column-choice.tsx'),
    isPressed,
    () => setPressed(false),
  );
  return (
    <span>
      <Popover label="Columns" text="Columns" onPress={() => setPressed(true)}>
        {choice && <choice.ColumnChoice />}
      </Popover>
    </span>
  );
}

const noRange = { expired: undefined, expiresFrom: undefined, expiresTo: undefined };

/** A choice of usual ranges, or any range, which a dialog asks for. */
function ExpiryFilter() {
  const { address, filter } = useListAddress();
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const dialog = useLazyModule(() => import('./expiry-range-dialog.tsx'), isAsking, close);
  const { expired, expiresFrom, expiresTo } = address;
  const present = { expired, expiresFrom, expiresTo };
  const isSet = !isSameExpiry(present, noRange);
  const chosen = expiryFilters.find((one) => isSameExpiry(one, present))?.label;
  const words = useLazyModule(() => import('../subscriber/filter-words.ts'), isSet && chosen === undefined);
  function choose(label: string | undefined): void {
    if (label === fromTo) return setAsking(true);
    const { label: _, ...range } = expiryFilters.find((one) => one.label === label) ?? noChoice;
    filter({ ...noRange, ...range });
  }
  return (
    <>
      <FilterSelect label="Expires" value={isSet ? (chosen ?? 'range') : undefined} onChange={choose}>
        {expiryFilters.map(({ label }) => (
          <option key={label}>{label}</option>
        ))}
        {isSet && chosen === undefined && (
          <option value="range">{words?.expiryFilterWords(toListQuery(address)) ?? 'Expires: …'}</option>
        )}
        <option>{fromTo}</option>
      </FilterSelect>
      {isAsking && dialog && (
        <dialog.ExpiryRangeDialog
          range={present}
          onChoose={(range) => {
            filter({ ...noRange, ...range });
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

const fromTo = 'From–to…';
const noChoice = { label: '', ...noRange };
