import { roles } from '../../contract/bff/permission.ts';
import type { StaffMember } from '../../contract/bff/staff.ts';
import { Skeleton } from '../components/skeleton.tsx';
import { StaffRow } from './staff-row.tsx';
import styles from './staff-table.module.css';

/** All accounts; a desk has as many as it has staff, so there are no pages. */
export function StaffTable({ staff }: { staff: readonly StaffMember[] | undefined }) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label="Staff" aria-busy={!staff}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={styles.role}>
              Role
            </th>
            <th scope="col" className={styles.state}>
              State
            </th>
            <th scope="col" className={styles.last}>
              Last sign-in
            </th>
            <th scope="col" className={styles.actions}>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {staff
            ? staff.map((member) => <StaffRow key={member.id} member={member} />)
            : roles.map((role) => <SkeletonRow key={role} />)}
        </tbody>
      </table>
    </div>
  );
}

function SkeletonRow() {
  return (
    <tr>
      <td>
        <Skeleton width={12} />
      </td>
      <td className={styles.role}>
        <Skeleton width={8} />
      </td>
      <td>
        <Skeleton width={8} />
      </td>
      <td className={styles.last}>
        <Skeleton width={12} />
      </td>
      <td />
    </tr>
  );
}
