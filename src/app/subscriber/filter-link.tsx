import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { AddressChange } from '../components/address.ts';
import { Icon } from '../components/icon.tsx';
import { withFilter, type ListAddress } from './list-address.ts';
import styles from './filter-link.module.css';

/** Beside a value: shows all subscribers with it. @param props.value as it is shown, such as "Norway" */
export function FilterLink({
  by,
  value,
  ...rest
}: Pick<ComponentProps<'a'>, 'tabIndex' | 'onClick' | 'ref'> & {
  by: AddressChange<ListAddress>;
  value: string;
}) {
  const name = `Show all with ${value}`;
  return (
    <Link
      to="/subscribers"
      search={withFilter({}, by)}
      className={styles.link ?? ''}
      aria-label={name}
      title={name}
      {...rest}
    >
      <Icon name="search" />
    </Link>
  );
}
