import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fewRecoveryCodes, type SecondFactor } from '../../contract/bff/second-factor.ts';
import { clientOf } from '../api/client.ts';
import { hasPasskeySupport } from '../api/passkeys.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { useSession } from '../api/session.ts';
import { useLeavesFocus } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/format.ts';
import { DataTable, timeColumn, type Column } from '../api/list.tsx';
import { NarrowOnly } from '../components/data-table.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { Notice } from '../components/notice.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import type { FactorAct, Passkey } from './factor-dialog.tsx';
import styles from './account-page.module.css';

/** The second factor of the user's own account. */
const secondFactorQuery = queryOptions({
  queryKey: ['getSecondFactor'],
  queryFn: async ({ client, signal }) => (await clientOf(client).getSecondFactor({}, { signal })).data,
  meta: { awaited: 'your second factor' },
});

interface SectionProps {
  factor: SecondFactor | undefined;
  onAct: (act: FactorAct) => void;
}

/**
 * The user's means of signing in besides or instead of the password.
 *
 * @param props.onClose called when a dialog was closed, whether something was done or not
 */
export function SecondFactors({ onClose }: { onClose?: () => void }) {
  const session = useSession();
  const canHave = session?.canChangePassword ?? false;
  const read = useQuery({ ...secondFactorQuery, enabled: session?.staff.singleSignOn === false });
  const [act, setAct] = useState<FactorAct | null>(null);
  const dialogs = useLazyModule(
    () => import('./factor-dialog.tsx'),
    act !== null,
    () => setAct(null),
  );
  const close = () => {
    setAct(null);
    onClose?.();
  };
  return (
    <>
      <section className={`stack ${styles.section}`} aria-labelledby="second-factor">
        <h2 id="second-factor">Second factor</h2>
        {session && !canHave && (
          <p className="muted">
            {session.canSignOut
              ? 'You sign in with single sign-on. Your provider does this: set up a second factor there.'
              : 'You can’t set one up here, because you didn’t need to sign in.'}
          </p>
        )}
        <ReadFailure what="your second factor and passkeys" read={read} />
        {canHave && read.data && <App factor={read.data} onAct={setAct} />}
      </section>
      <Passkeys factor={read.data} onAct={setAct} />
      {act !== null && dialogs && <dialogs.FactorDialog act={act} onClose={close} />}
    </>
  );
}

/** The authenticator app, and recovery codes for when it is lost. */
function App({ factor, onAct }: { factor: SecondFactor; onAct: SectionProps['onAct'] }) {
  const { app, passkeys, recoveryCodes } = factor;
  const hasFactor = app !== null || passkeys.length > 0;
  const leavesFocus = useLeavesFocus();
  return (
    <>
      {app === null ? (
        <p className="muted">
          {!hasFactor && 'You sign in with your password only. '}With an authenticator app on your phone,
          nobody gets in who has only found out your password.
        </p>
      ) : (
        <p className="muted">
          You sign in with your password and a code of your authenticator app, set up{' '}
          <RelativeTime at={app.since} />
          {app.lastUsedAt !== null && (
            <>
              , last used <RelativeTime at={app.lastUsedAt} />
            </>
          )}
          .
        </p>
      )}
      {hasFactor && <RemainingCodes count={recoveryCodes} />}
      <div className="row">
        {app === null && <Button onClick={() => onAct('setUp')}>Set up authenticator app</Button>}
        {hasFactor && <Button onClick={() => onAct('renew')}>New recovery codes…</Button>}
        {app !== null && (
          <>
            <Button onClick={() => onAct('replace')}>Use another app…</Button>
            <Button ref={leavesFocus} onClick={() => onAct('remove')}>
              Remove app…
            </Button>
          </>
        )}
      </div>
    </>
  );
}

/** Number of unused recovery codes, with a warning if they are few. */
function RemainingCodes({ count }: { count: number }) {
  return (
    <>
      <p className="muted">{counted(count, 'recovery code')} left.</p>
      {count <= fewRecoveryCodes && (
        <Notice tone="warn">
          {count === 0 ? 'You have no recovery codes left.' : 'You have few recovery codes left.'} Make new
          ones, so that you can sign in without your phone.
        </Notice>
      )}
    </>
  );
}

/** Passkeys: each signs in without a password, or stands in for a code. */
function Passkeys({ factor, onAct }: SectionProps) {
  const session = useSession();
  const { passkeys = [], noPasskeys = null } = factor ?? {};
  const unsupported = hasPasskeySupport() ? null : 'This browser knows no passkeys. Use another one.';
  const reason = noPasskeys ?? unsupported;
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="passkeys">
      <div className="row ends">
        <h2 id="passkeys">Passkeys</h2>
        {factor && reason === null && <Button onClick={() => onAct('addPasskey')}>Add passkey</Button>}
      </div>
      <p className="muted">
        {session?.staff.singleSignOn
          ? 'You sign in with single sign-on. Your provider does this: add a passkey there.'
          : 'With a passkey, you sign in by your fingerprint, face or PIN, without a password or a code.'}
        {factor && reason !== null && ` ${reason}`}
      </p>
      {passkeys.length > 0 && (
        <DataTable
          label="Passkeys"
          columns={columnsFor(onAct)}
          keyOf={({ id }) => id}
          rows={passkeys}
          expected={1}
        />
      )}
    </section>
  );
}

const columnsFor = (remove: (passkey: Passkey) => void): Column<Passkey>[] => [
  {
    label: 'Made in',
    grey: 14,
    isRowHeading: true,
    cell: (passkey) => (
      <>
        <strong>{passkey.name}</strong>
        <NarrowOnly>
          Added <RelativeTime at={passkey.since} />
        </NarrowOnly>
        <NarrowOnly>
          Last used: {passkey.lastUsedAt === null ? 'Never' : <RelativeTime at={passkey.lastUsedAt} />}
        </NarrowOnly>
      </>
    ),
  },
  timeColumn('Added', ({ since }) => since),
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt, 'Never'),
  {
    label: 'Actions',
    isLabelHidden: true,
    cell: (passkey) => <Remove name={passkey.name} onClick={() => remove(passkey)} />,
  },
];

function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button ref={useLeavesFocus()} small aria-label={`Remove passkey made in ${name}`} onClick={onClick}>
      Remove
    </Button>
  );
}
