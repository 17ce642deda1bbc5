import { Icon } from '../../components/icon.tsx';
import { useListAddress } from './use-list-address.ts';
import styles from './sort-heading.module.css';
import columns from './subscriber-table.module.css';

/** A column that the service can sort by: up, down, and back to the order of the ids. */
export function SortHeading({ name, column }: { name: string; column: 'username' | 'expiresAt' }) {
  const { address, filter } = useListAddress();
  const descending = `${column}_desc` as const;
  const present = address.sort === column ? 'ascending' : address.sort === descending ? 'descending' : 'none';
  const next = { none: column, ascending: descending, descending: undefined }[present];
  return (
    <th scope="col" className={columns[column === 'username' ? 'username' : 'expires']} aria-sort={present}>
      <button type="button" className={styles.button} onClick={() => filter({ sort: next })}>
        {name}
        <span className={styles.arrow} data-on={present !== 'none' || undefined}>
          <Icon name={present === 'descending' ? 'descending' : 'ascending'} />
        </span>
      </button>
    </th>
  );
}
