import { useState } from 'react';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import { FilterBar, FilterSelect } from '../components/filter-bar.tsx';
import { Popover } from '../components/popover.tsx';
import type { Option } from '../components/select.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { hasFilter, toListQuery } from '../subscriber/list-address.ts';
import { expiryFilters, isSameExpiry, noRange } from '../subscriber/expiry.ts';
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
  const { username, email, bundle, country, ip, app, note } = address;
  const typed = useLazyModule(
    () => import('./filter-dialogs.tsx'),
    (bundle ?? country ?? ip ?? app ?? note ?? (email && username)) !== undefined,
  );
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
      {typed && <typed.TypedFilters />}
      <ChoiceOrDialog
        label="Status"
        value={address.statuses ? other : address.status}
        more="Several…"
        options={useStatuses()?.map(({ id, name }) => ({ value: id, label: `Status: ${name}` })) ?? []}
        // No number is no filter.
        onChange={(status) => filter({ statuses: undefined, status: Number(status) })}
      />
      <ChoiceOrDialog
        label="Expires"
        value={(expiryChoices.find((one) => isSameExpiry(one, address)) ?? { label: other }).label}
        more="From–to…"
        options={expiryFilters.map(({ label }) => ({ value: label, label }))}
        onChange={(name) => filter({ ...noRange, ...expiryFilters.find(({ label }) => label === name) })}
      />
      <FilterSelect
        label="Plan"
        value={address.trial?.toString()}
        options={plans}
        onChange={(trial) => filter({ trial: trial === undefined ? undefined : trial === 'true' })}
      />
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

const plans = [
  { value: 'true', label: 'Trial' },
  { value: 'false', label: 'Paid' },
];

const expiryChoices = [{ label: undefined, ...noRange }, ...expiryFilters];

/** The value of what only the dialog of a filter can choose. */
const other = 'other';

/** A choice of usual values, or of others, which a dialog asks for. */
function ChoiceOrDialog(props: {
  label: 'Status' | 'Expires';
  /** Such as `FilterSelect` has, or `other`. */
  value: string | number | undefined;
  /** The choice that opens the dialog. */
  more: string;
  options: readonly Option[];
  onChange: (value: string | undefined) => void;
}) {
  const { label, value, more } = props;
  const { address, filter } = useListAddress();
  const statuses = useStatuses();
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const isOther = value === other;
  const part = useLazyModule(() => import('./filter-dialogs.tsx'), isAsking || isOther, close)?.[label];
  const words = part?.words(toListQuery(address), statuses) ?? `${label}: …`;
  const others = isOther ? [{ value: other, label: words }] : [];
  return (
    <>
      <FilterSelect
        label={label}
        value={value}
        options={[...props.options, ...others, { value: more, label: more }]}
        onChange={(chosen) => (chosen === more ? setAsking(true) : props.onChange(chosen))}
      />
      {isAsking && part && (
        <part.Dialog
          address={address}
          onChoose={(change) => {
            filter(change);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
