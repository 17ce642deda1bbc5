import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { AddressChange } from '../components/address.ts';
import { Icon } from '../components/icon.tsx';
import { withFilter, type ListAddress } from './list-address.ts';
import styles from './filter-link.module.css';

/** Beside a value: shows all subscribers with it. @param props.value as it is shown, such as "Norway" */
export function FilterLink(props: {
  by: AddressChange<ListAddress>;
  value: string;
  onClick?: (event: MouseEvent) => void;
}) {
  const name = `Show all with ${props.value}`;
  return (
    <Link
      to="/subscribers"
      search={withFilter({}, props.by)}
      className={styles.link ?? ''}
      aria-label={name}
      title={name}
      onClick={props.onClick}
    >
      <Icon name="search" />
    </Link>
  );
}
