import { useState } from 'react';
import type { Bundle } from '../../contract/bff/bundle.ts';
import { statusIdsOf } from '../../contract/service/scan.ts';
import { localDay, startOfDay } from '../components/exact-time.tsx';
import { CheckBox, TextField } from '../components/field.tsx';
import { FilterSelect } from '../components/filter-bar.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { browserZone } from '../subscriber/extensions.ts';
import { bundleText, useBundles } from '../subscriber/bundles.ts';
import { countryName } from '../subscriber/countries.ts';
import { expiryFilterWords, statusFilterWords } from '../subscriber/filter-words.ts';
import type { ListAddress, ListAddressChange } from '../subscriber/list-address.ts';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { useListAddress } from './use-list-address.ts';

interface FilterDialogProps {
  address: ListAddress;
  onChoose: (change: ListAddressChange) => void;
  onClose: () => void;
}

/** Filters with a dialog: loaded when one is opened, or is set to a value that is no usual choice. */
export const Expires = { Dialog: ExpiryRangeDialog, words: expiryFilterWords };
export const Status = { Dialog: StatusesDialog, words: statusFilterWords };

/** The filters that are typed into the find box, and have no choice of values. */
const typedFilters = [
  ['username', 'Username'],
  ['bundle', 'Bundle'],
  ['country', 'Country'],
  ['ip', 'IP address'],
  ['app', 'Player'],
  ['note', 'Note'],
] as const;

/** Those that are set, each with its value. */
export function TypedFilters() {
  const { address, filter } = useListAddress();
  const bundles = useBundles();
  return typedFilters.map(([name, label]) => {
    const value = address[name];
    // The find box has one text alone.
    if (value === undefined || (name === 'username' && address.email === undefined)) return null;
    return (
      <FilterSelect
        key={name}
        label={label}
        value={value}
        options={[{ value, label: `${label}: ${valueText(name, value, bundles)}` }]}
        onChange={() => filter({ [name]: undefined })}
      />
    );
  });
}

function valueText(name: string, value: string | number, bundles: readonly Bundle[]) {
  if (name === 'bundle') return bundleText(Number(value), bundles);
  return name === 'country' ? countryName(String(value).toUpperCase()) : value;
}

/** Asks for any statuses: some, or all but some. */
function StatusesDialog({ address, onChoose, onClose }: FilterDialogProps) {
  const statuses = useStatuses() ?? [];
  const present = statusIdsOf({ StatusId: address.status, StatusIds: address.statuses });
  const [picked, setPicked] = useState(present);
  const chosen = picked ?? statuses.map(({ id }) => id);
  const [isChecked, setChecked] = useState(false);
  function choose(): void {
    setChecked(true);
    if (chosen.length === 0) return;
    const isAll = statuses.every(({ id }) => chosen.includes(id));
    onChoose({
      status: chosen.length === 1 && !isAll ? chosen[0] : undefined,
      statuses:
        chosen.length === 1 || isAll ? undefined : chosen.toSorted((one, other) => one - other).join(),
    });
  }
  return (
    <ConfirmDialog
      title="Filter by status"
      action="Show subscribers"
      notice={isChecked && chosen.length === 0 && <Notice tone="bad">Choose at least one status.</Notice>}
      onSubmit={choose}
      onClose={onClose}
    >
      <fieldset className="row">
        <legend>Statuses to show</legend>
        {statuses.map(({ id, name }) => (
          <CheckBox
            key={id}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              setPicked([...chosen.filter((one) => one !== id), ...(target.checked ? [id] : [])])
            }
          >
            {name}
          </CheckBox>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}

/** Asks for the first and the last day of a range; either can be left open. */
function ExpiryRangeDialog({ address, onChoose, onClose }: FilterDialogProps) {
  const [from, setFrom] = useState(dayIn(address.expiresFrom));
  const [to, setTo] = useState(dayIn(address.expiresTo, 1));
  const [isChecked, setChecked] = useState(false);
  const error =
    from === '' && to === ''
      ? 'Enter the first or the last day.'
      : from !== '' && to !== '' && to < from
        ? 'Enter a last day that is not before the first.'
        : undefined;
  function choose(): void {
    setChecked(true);
    if (error !== undefined) return;
    onChoose({
      expired: undefined,
      expiresFrom: startOfDay(from)?.toISOString(),
      expiresTo: startOfDay(to, 1)?.toISOString(),
    });
  }
  return (
    <ConfirmDialog title="Filter by expiry" action="Show subscribers" onSubmit={choose} onClose={onClose}>
      <div className="columns">
        <TextField {...day} label="First day" value={from} onChange={setFrom} />
        <TextField
          {...day}
          label="Last day"
          value={to}
          onChange={setTo}
          error={isChecked ? error : undefined}
        />
      </div>
      <p className="muted">
        Both days are included, in your time zone ({browserZone()}). Leave one empty for no limit.
      </p>
    </ConfirmDialog>
  );
}

const day = { type: 'date', max: '9999-12-30' };

/** The local day of an instant; empty for a relative time. @param back ms to go back, because a range ends before its limit */
function dayIn(time: string | undefined, back = 0): string {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? '' : localDay(at - back);
}
