import { Button } from '../../components/button.tsx';
import { hasFilter } from '../address.ts';
import { useStatuses } from '../fields/status-badge.tsx';
import { SelectButton } from '../selection/select-button.tsx';
import { ColumnsButton } from './columns-button.tsx';
import { FindBox } from './find-box.tsx';
import { useListAddress } from './use-list-address.ts';
import styles from './filters.module.css';

/** What narrows the list: the find box, the status, and the two switches. */
export function Filters() {
  const { address, filter, clear } = useListAddress();
  return (
    <div className={styles.filters}>
      <FindBox />
      <StatusFilter />
      <Toggle name="Expired" pressed={address.expired ?? false} onChange={(on) => filter({ expired: on })} />
      <Toggle name="Trial" pressed={address.trial ?? false} onChange={(on) => filter({ trial: on })} />
      {hasFilter(address) && (
        <Button look="quiet" onClick={clear}>
          Clear filters
        </Button>
      )}
      <ColumnsButton />
      <SelectButton />
    </div>
  );
}

function StatusFilter() {
  const { address, filter } = useListAddress();
  const statuses = useStatuses() ?? [];
  return (
    <select
      aria-label="Status"
      className={styles.status}
      value={address.status ?? ''}
      onChange={(event) =>
        filter({ status: event.target.value === '' ? undefined : Number(event.target.value) })
      }
    >
      <option value="">Status: any</option>
      {statuses.map((status) => (
        <option key={status.id} value={status.id}>
          Status: {status.name}
        </option>
      ))}
    </select>
  );
}

function Toggle(props: { name: string; pressed: boolean; onChange: (pressed: boolean) => void }) {
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-pressed={props.pressed}
      onClick={() => props.onChange(!props.pressed)}
    >
      {props.name}
    </button>
  );
}
