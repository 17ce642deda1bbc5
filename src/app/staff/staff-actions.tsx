import { useState } from 'react';
import type { StaffMember } from '../../contract/bff/staff.ts';
import { useAction } from '../api/use-action.ts';
import { nameOfPerson } from '../components/person-name.tsx';
import { Popover } from '../components/popover.tsx';
import { PopoverItem } from '../components/popover-item.tsx';
import { RoleDialog, StaffActionDialog, type StaffAct } from './staff-dialogs.tsx';

/** The actions on one account. All except enabling open a dialog that says what will happen. */
export function StaffActions({ member, own }: { member: StaffMember; own: boolean }) {
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
    toast: `${name} is enabled and can sign in.`,
    failures: 'toast',
  });
  const enable = () => void enabling.run({ params: { id: member.id }, body: { disabled: false } });
  return <PopoverItem onPick={enable}>Enable</PopoverItem>;
}
