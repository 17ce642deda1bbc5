import type { StaffMember } from '../../contract/bff/staff.ts';
import { roleNames } from '../api/role-names.ts';
import { useSession } from '../api/session.ts';
import { Badge } from '../components/badge.tsx';
import { Moment } from '../components/moment.tsx';
import { StaffActions } from './staff-actions.tsx';
import styles from './staff-table.module.css';

/** One account, and what can be done about it. */
export function StaffRow({ member }: { member: StaffMember }) {
  const own = useSession()?.staff.name === member.name;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <strong>{member.name}</strong>
        {own && <Badge tone="neutral">you</Badge>}
        {member.singleSignOn && <Badge tone="neutral">single sign-on</Badge>}
        <span className={styles.below}>
          {roleNames[member.role]} · last sign-in <LastSignIn at={member.lastSignInAt} />
        </span>
      </th>
      <td className={styles.role}>{roleNames[member.role]}</td>
      <td className={styles.state}>
        <State member={member} />
      </td>
      <td className={styles.last}>
        <LastSignIn at={member.lastSignInAt} />
      </td>
      <td className={styles.actions}>
        <StaffActions member={member} own={own} />
      </td>
    </tr>
  );
}

function State({ member }: { member: StaffMember }) {
  if (member.disabled) return <Badge tone="bad">Disabled</Badge>;
  if (member.mustChangePassword) return <Badge tone="warn">One-time password</Badge>;
  return (
    <Badge tone="ok" dot>
      Active
    </Badge>
  );
}

const LastSignIn = ({ at }: { at: string | null }) =>
  at === null ? <span className={styles.never}>never</span> : <Moment at={Date.parse(at)} />;
