import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { roles, type Role } from '../../contract/bff/permission.ts';
import { roleNames } from '../api/role-names.ts';
import styles from './role-field.module.css';

const means: Readonly<Record<Role, string>> = {
  viewer: 'Finds and sees subscribers, but no whole access token.',
  support: 'Also creates and changes subscribers and regenerates tokens.',
  manager: 'Also deletes subscribers and looks after staff accounts.',
};

/** The three roles, each with what it allows. */
export function RoleField({ field }: { field: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <fieldset className={styles.roles}>
      <legend>Role</legend>
      {roles.map((role) => (
        <label key={role}>
          <input
            {...field}
            type="radio"
            value={role}
            aria-labelledby={`${id}-${role}`}
            aria-describedby={`${id}-${role}-means`}
          />
          <span id={`${id}-${role}`}>{roleNames[role]}</span>
          <small id={`${id}-${role}-means`}>{means[role]}</small>
        </label>
      ))}
    </fieldset>
  );
}
