import { FilterBar, FilterSelect, ToggleButton } from '../../components/filter-bar.tsx';
import { hasFilter } from '../address.ts';
import { useStatuses } from '../fields/status-badge.tsx';
import { SelectButton } from '../selection/use-selecting.tsx';
import { ColumnsButton } from './columns.tsx';
import { FindBox } from './find-box.tsx';
import { useListAddress } from './use-list-address.ts';

/** The filters of the list: the find box, the status, and two switches. */
export function Filters() {
  const { address, filter, clear } = useListAddress();
  const statuses = useStatuses() ?? [];
  return (
    <FilterBar
      search={<FindBox />}
      onClear={hasFilter(address) ? clear : undefined}
      tools={
        <>
          <ColumnsButton />
          <SelectButton />
        </>
      }
    >
      <FilterSelect
        label="Status"
        value={address.status}
        onChange={(status) => filter({ status: status === undefined ? undefined : Number(status) })}
      >
        <option value="">Status: any</option>
        {statuses.map((status) => (
          <option key={status.id} value={status.id}>
            Status: {status.name}
          </option>
        ))}
      </FilterSelect>
      <ToggleButton pressed={address.expired ?? false} onChange={(expired) => filter({ expired })}>
        Expired
      </ToggleButton>
      <ToggleButton pressed={address.trial ?? false} onChange={(trial) => filter({ trial })}>
        Trial
      </ToggleButton>
    </FilterBar>
  );
}
