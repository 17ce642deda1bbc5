import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roles } from '../../contract/bff/permission.ts';
import type { StaffMember } from '../../contract/bff/staff.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { staffQuery } from '../api/client.ts';
import { roleNameOf, usePermission, useSession } from '../api/session.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { DataTable } from '../components/data-table.tsx';
import { Icon } from '../components/icon.tsx';
import { Moment } from '../components/exact-time.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { AddDialog } from './staff-dialogs.tsx';
import { StaffActions } from './staff-actions.tsx';
import page from '../components/page.module.css';
import styles from './staff-page.module.css';

const columns = [
  { name: 'name', label: 'Name', grey: 9 },
  { name: 'role', label: 'Role', grey: 6, className: styles.role },
  { name: 'state', label: 'Status', grey: 6, className: styles.state },
  { name: 'last', label: 'Last sign-in', grey: 9, className: styles.last },
  { name: 'actions', label: 'Actions', isLabelHidden: true, className: styles.actions },
];

/** The staff accounts. There are few, so they need no pages. */
export function StaffPage() {
  const { allowed, reason } = usePermission('listStaff');
  const staff = useQuery({ ...staffQuery, enabled: allowed });
  return (
    <div className={page.screen}>
      <title>Staff · Subscriber Desk</title>
      <div className={page.head}>
        <PageHeading>
          Staff <span className={page.count}>{staff.data && grouped(staff.data.length)}</span>
        </PageHeading>
        {allowed && <AddStaff />}
      </div>
      {reason && <Notice tone="warn">{reason}</Notice>}
      <ReadFailure what="the staff accounts" read={staff} />
      {!reason && (staff.data || !hasFailed(staff)) && (
        <DataTable
          label="Staff"
          className={styles.table}
          columns={columns}
          rows={staff.data}
          expected={roles.length}
          renderRow={(member) => <StaffRow key={member.id} member={member} />}
        />
      )}
    </div>
  );
}

function AddStaff() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <Icon name="plus" />
        Add staff
      </Button>
      {asking && <AddDialog onClose={() => setAsking(false)} />}
    </>
  );
}

/** One account and its actions. */
function StaffRow({ member }: { member: StaffMember }) {
  const { name, role, singleSignOn, secondFactor, lastSignInAt } = member;
  const own = useSession()?.staff.name === name;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <strong>{name}</strong>
        {own && <Badge tone="neutral">You</Badge>}
        {singleSignOn && <Badge tone="neutral">Single sign-on</Badge>}
        {secondFactor && <Badge tone="neutral">Second factor</Badge>}
        <span className={styles.below}>
          {roleNameOf(role)} ·{' '}
          {lastSignInAt === null ? (
            'never signed in'
          ) : (
            <>
              last sign-in <Moment at={Date.parse(lastSignInAt)} />
            </>
          )}
        </span>
      </th>
      <td className={styles.role}>{roleNameOf(role)}</td>
      <td className={styles.state}>
        <State member={member} />
      </td>
      <td className={styles.last}>
        <LastSignIn at={lastSignInAt} />
      </td>
      <td className={styles.actions}>
        <StaffActions member={member} own={own} />
      </td>
    </tr>
  );
}

function State({ member }: { member: StaffMember }) {
  if (member.disabled) return <Badge tone="bad">Disabled</Badge>;
  if (member.role === null) return <Badge tone="warn">Can’t sign in</Badge>;
  if (member.mustChangePassword) return <Badge tone="warn">One-time password</Badge>;
  return (
    <Badge tone="ok" dot>
      Active
    </Badge>
  );
}

const LastSignIn = ({ at }: { at: string | null }) =>
  at === null ? <span className={styles.never}>never</span> : <Moment at={Date.parse(at)} />;
