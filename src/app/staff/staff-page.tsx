import { useState } from 'react';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { roles } from '../../contract/bff/permission.ts';
import type { StaffMember } from '../../contract/bff/staff.ts';
import { staffQuery } from '../subscriber/journal-entry.tsx';
import { List, timeColumn, useList, type Column } from '../api/list.tsx';
import { roleNameOf, usePermission, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Badge, nameOfPerson } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { NarrowOnly } from '../components/data-table.tsx';
import { Icon } from '../components/icon.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { Page } from '../components/page.tsx';
import { Popover, PopoverItem } from '../components/popover.tsx';
import { AddDialog, RoleDialog, StaffActionDialog, type StaffAct } from './staff-dialogs.tsx';

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
    cell: (member) => <StaffActions member={member} />,
  },
];

/** The staff accounts. There are few, so they need no pages. */
export function StaffPage() {
  const { allowed, reason } = usePermission('listStaff');
  const list = useList({ ...staffQuery, enabled: allowed });
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      Add staff
    </Button>
  );
  return (
    <Page title="Staff" count={list.data?.length} aside={allowed && add} barred={reason}>
      <List
        list={list}
        what="the staff accounts"
        label="Staff"
        columns={columns}
        keyOf={({ id }) => id}
        rows={list.data}
        expected={roles.length}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
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

function stateBadge(member: StaffMember) {
  if (member.disabled) return <Badge tone="bad">Disabled</Badge>;
  if (member.role === null || member.otherProvider) return <Badge tone="warn">Can’t sign in</Badge>;
  if (member.mustChangePassword) return <Badge tone="warn">One-time password</Badge>;
  return (
    <Badge tone="ok" dot>
      Active
    </Badge>
  );
}

/** The actions on one account. All except enabling open a dialog that says what will happen. */
function StaffActions({ member }: { member: StaffMember }) {
  const own = useIsUser(member);
  const [asking, setAsking] = useState<StaffAct | 'role' | null>(null);
  const about = { member, own, onClose: () => setAsking(null) };
  return (
    <>
      <Popover label={`Manage ${nameOfPerson(member)}`} text="Manage">
        <PopoverItem
          onPick={() => setAsking('role')}
          reason={member.singleSignOn ? 'The role is managed by single sign-on. Change it there.' : undefined}
        >
          Change role…
        </PopoverItem>
        <PopoverItem onPick={() => setAsking('reset')} reason={passwordDisabledReason(member, own)}>
          Reset password…
        </PopoverItem>
        <PopoverItem onPick={() => setAsking('factor')} reason={factorDisabledReason(member, own)}>
          Reset second factor…
        </PopoverItem>
        <PopoverItem onPick={() => setAsking('sessions')}>Sign out everywhere…</PopoverItem>
        {member.disabled ? (
          <Enable member={member} />
        ) : (
          <PopoverItem variant="quiet-danger" onPick={() => setAsking('disable')}>
            Disable…
          </PopoverItem>
        )}
      </Popover>
      {asking === 'role' && <RoleDialog {...about} />}
      {asking && asking !== 'role' && <StaffActionDialog act={asking} {...about} />}
    </>
  );
}

function passwordDisabledReason({ singleSignOn }: StaffMember, own: boolean): string | undefined {
  if (singleSignOn) return 'This account signs in with single sign-on and has no password here.';
  return own ? 'Change your own password in the account menu.' : undefined;
}

function factorDisabledReason({ singleSignOn, secondFactor }: StaffMember, own: boolean): string | undefined {
  if (singleSignOn) return 'This account signs in with single sign-on. Reset its second factor there.';
  if (own) return 'Change your own second factor under My account.';
  return secondFactor ? undefined : 'This account has no second factor.';
}

function Enable({ member }: { member: StaffMember }) {
  const name = nameOfPerson(member);
  const enabling = useAction('changeStaff', {
    done: `${name} was enabled`,
    toast: ({ data }) => `${name} is enabled${afterEnabling(data)}`,
    failures: 'toast',
  });
  const enable = () => void enabling.run({ params: { id: member.id }, body: { disabled: false } });
  return <PopoverItem onPick={enable}>Enable</PopoverItem>;
}

/** The rest of a sentence: enabling an account gives it neither a password nor a role. */
function afterEnabling({ role, otherProvider, mustChangePassword }: StaffMember): string {
  if (otherProvider)
    return ', but can’t sign in: the account is of another single sign-on than the one here.';
  if (role === null) return ', but can’t sign in until single sign-on gives a role.';
  if (!mustChangePassword) return ' and can sign in.';
  return `. If the one-time password was used or is older than ${oneTimePasswordHours} hours, reset the password.`;
}
