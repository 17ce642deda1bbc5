import { useState } from 'react';
import { roles } from '../../contract/bff/permission.ts';
import type { StaffMember } from '../../contract/bff/staff.ts';
import { staffQuery } from '../subscriber/activity-queries.ts';
import { List, timeColumn, useList, type Column } from '../api/list.tsx';
import { roleNameOf, usePermission, useSession } from '../api/session.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { NarrowOnly } from '../components/data-table.tsx';
import { Icon } from '../components/icon.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { Page } from '../components/page.tsx';
import { AddDialog } from './staff-dialogs.tsx';
import { StaffActions } from './staff-actions.tsx';

const columns: readonly Column<StaffMember>[] = [
  {
    label: 'Name',
    grey: 9,
    isRowHeading: true,
    cell: (member) => <Name member={member} />,
  },
  { label: 'Role', grey: 6, isWideOnly: true, cell: ({ role }) => roleNameOf(role) },
  { label: 'Status', grey: 6, cell: stateBadge },
  timeColumn('Last sign-in', ({ lastSignInAt }) => lastSignInAt),
  {
    label: 'Actions',
    isLabelHidden: true,
    cell: (member) => <Actions member={member} />,
  },
];

/** The staff accounts. There are few, so they need no pages. */
export function StaffPage() {
  const { allowed, reason } = usePermission('listStaff');
  const list = useList({ ...staffQuery, enabled: allowed });
  return (
    <Page title="Staff" count={list.data?.length} aside={allowed && <AddStaff />} barred={reason}>
      <List
        list={list}
        what="the staff accounts"
        label="Staff"
        columns={columns}
        keyOf={({ id }) => id}
        rows={list.data}
        expected={roles.length}
      />
    </Page>
  );
}

function AddStaff() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setAsking(true)}>
        <Icon name="plus" />
        Add staff
      </Button>
      {asking && <AddDialog onClose={() => setAsking(false)} />}
    </>
  );
}

const useIsUser = ({ name }: StaffMember) => useSession()?.staff.name === name;

function Name({ member }: { member: StaffMember }) {
  const { name, role, singleSignOn, secondFactor, lastSignInAt } = member;
  return (
    <>
      <strong>{name}</strong>
      {useIsUser(member) && <Badge tone="neutral">You</Badge>}
      {singleSignOn && <Badge tone="neutral">Single sign-on</Badge>}
      {secondFactor && <Badge tone="neutral">Second factor</Badge>}
      <NarrowOnly>
        {roleNameOf(role)} ·{' '}
        {lastSignInAt === null ? (
          'never signed in'
        ) : (
          <>
            last sign-in <RelativeTime at={lastSignInAt} />
          </>
        )}
      </NarrowOnly>
    </>
  );
}

const Actions = ({ member }: { member: StaffMember }) => (
  <StaffActions member={member} own={useIsUser(member)} />
);

function stateBadge(member: StaffMember) {
  if (member.disabled) return <Badge tone="bad">Disabled</Badge>;
  if (member.role === null) return <Badge tone="warn">Can’t sign in</Badge>;
  if (member.mustChangePassword) return <Badge tone="warn">One-time password</Badge>;
  return (
    <Badge tone="ok" dot>
      Active
    </Badge>
  );
}
