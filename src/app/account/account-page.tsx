import { Link } from '@tanstack/react-router';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { buttonClass, Button } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { SecondFactors } from './second-factors.tsx';
import styles from './account-page.module.css';
import type { AccountSession } from '../../contract/bff/session.ts';
import { clientOf } from '../api/client.ts';
import { List, timeColumn, useList, type Column } from '../api/list.tsx';
import { useAction } from '../api/use-action.ts';
import { useLeavesFocus } from '../components/app-context.ts';
import { Badge } from '../components/badge.tsx';
import { counted } from '../components/format.ts';
import { NarrowOnly } from '../components/data-table.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';

/** The user's own sessions and ways to sign in. */
export function AccountPage() {
  return (
    <Page title="My account">
      <Sessions />
      <Password />
      <SecondFactors />
    </Page>
  );
}

function Password() {
  const session = useSession();
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="password">
      <h2 id="password">Password</h2>
      {session && !session.canChangePassword && (
        <p className="muted">
          {session.canSignOut
            ? 'You sign in with single sign-on. Change your password there.'
            : 'You didn’t need a password to sign in, so there’s none to change.'}
        </p>
      )}
      {session?.canChangePassword && (
        <>
          <p className="muted">When you change it, you’ll be signed out everywhere else.</p>
          <Link to="/password" search={{ from: '/account' }} className={buttonClass()}>
            Change password
          </Link>
        </>
      )}
    </section>
  );
}

/** Where the user is signed in; always read again, because that changes elsewhere. */
const accountSessionsQuery = queryOptions({
  queryKey: ['listSessions'],
  queryFn: async ({ client, signal }) => (await clientOf(client).listSessions({}, { signal })).data,
  refetchOnMount: 'always',
  meta: { awaited: 'your sessions' },
});

const columns: readonly Column<AccountSession>[] = [
  {
    label: 'Browser',
    grey: 14,
    isRowHeading: true,
    cell: ({ browser, isCurrent, since, lastUsed }) => (
      <>
        <strong>{browser}</strong> {isCurrent && <Badge tone="ok">This one</Badge>}
        <NarrowOnly>
          Signed in <RelativeTime at={since} />
        </NarrowOnly>
        <NarrowOnly>
          Last used <RelativeTime at={lastUsed} />
        </NarrowOnly>
      </>
    ),
  },
  timeColumn('Signed in', ({ since }) => since),
  timeColumn('Last used', ({ lastUsed }) => lastUsed),
  {
    label: 'Actions',
    isLabelHidden: true,
    cell: (own) => !own.isCurrent && <End own={own} />,
  },
];

/** Where the user is signed in. Each of the others can be ended, or all of them at once. */
function Sessions() {
  const session = useSession();
  const canEnd = session?.canSignOut ?? false;
  const list = useList({ ...accountSessionsQuery, enabled: canEnd });
  const others = list.data?.filter(({ isCurrent }) => !isCurrent).length;
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="sessions">
      <div className="row ends">
        <h2 id="sessions">Sessions</h2>
        {canEnd && <EndOthers count={others} />}
      </div>
      <p className="muted">
        {session && !canEnd
          ? 'You didn’t need to sign in here, so there are no sessions to end.'
          : `Where you’re signed in. End what you don’t recognise${session?.canChangePassword ? ', then change your password' : ''}.`}
      </p>
      {canEnd && (
        <List
          list={list}
          what="your sessions"
          label="Sessions"
          columns={columns}
          keyOf={({ id }) => id}
          rows={list.data}
          expected={2}
        />
      )}
    </section>
  );
}

/** Ends a session at once: after a mistake, people only sign in again. */
function End({ own: { id, browser } }: { own: AccountSession }) {
  const ending = useAction('endSession', {
    done: `${browser} was signed out`,
    toast: `${browser} is signed out.`,
    failures: 'toast',
  });
  return (
    <Button
      ref={useLeavesFocus()}
      small
      aria-label={`End ${browser}`}
      busy={ending.isBusy}
      onClick={() => void ending.run({ params: { id } })}
    >
      End
    </Button>
  );
}

/** @param props.count how many others there are; undefined until that is known */
function EndOthers({ count }: { count: number | undefined }) {
  const [asking, setAsking] = useState(false);
  const ending = useAction('endOtherSessions', {
    done: 'the sessions ended',
    toast: ({ data: { ended } }) =>
      ended === 0 ? 'You weren’t signed in anywhere else.' : `${counted(ended, 'session')} ended.`,
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button
        reason={count === 0 ? 'You’re signed in nowhere else.' : undefined}
        onClick={() => setAsking(true)}
      >
        End all others…
      </Button>
      {asking && (
        <ConfirmDialog
          title="End all other sessions?"
          action="End all others"
          busyAction="Ending…"
          variant="danger"
          acting={ending}
          onSubmit={() => void ending.run({})}
          onClose={() => setAsking(false)}
        >
          <p>You’ll be signed out everywhere else. You stay signed in here.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
