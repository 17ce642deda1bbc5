import { useQuery } from '@tanstack/react-query';
import { DataTable, type Column } from '../api/list.tsx';
import { useState } from 'react';
import type { SecondFactor } from '../../contract/bff/second-factor.ts';
import { secondFactorQuery } from '../api/client.ts';
import { hasPasskeySupport } from '../api/passkeys.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { NarrowOnly } from '../components/data-table.tsx';
import { Moment } from '../components/exact-time.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import styles from './account-page.module.css';

type Passkey = SecondFactor['passkeys'][number];

/**
 * The passkeys of the user's account: each signs in without a password, or stands in for a code.
 *
 * @param props.onClose called when a dialog was closed, whether something was done or not
 */
export function Passkeys({ onClose }: { onClose?: () => void }) {
  const session = useSession();
  const isElsewhere = session?.staff.singleSignOn ?? true;
  const factor = useQuery({ ...secondFactorQuery, enabled: !isElsewhere });
  const [act, setAct] = useState<'add' | Passkey | null>(null);
  const dialogs = useLazyModule(
    () => import('./passkey-dialogs.tsx'),
    act !== null,
    () => setAct(null),
  );
  const close = () => {
    setAct(null);
    onClose?.();
  };
  const { passkeys = [], noPasskeys = null } = factor.data ?? {};
  const unsupported = hasPasskeySupport() ? null : 'This browser knows no passkeys. Use another one.';
  const reason = noPasskeys ?? unsupported;
  return (
    <section className={styles.section} aria-labelledby="passkeys">
      <div className={styles.head}>
        <h2 id="passkeys">Passkeys</h2>
        {factor.data && reason === null && <Button onClick={() => setAct('add')}>Add passkey</Button>}
      </div>
      <p className={styles.about}>
        {session && isElsewhere
          ? 'You sign in with single sign-on. Your provider does this: add a passkey there.'
          : 'With a passkey, you sign in by your fingerprint, face or PIN, without a password or a code.'}
        {factor.data && reason !== null && ` ${reason}`}
      </p>
      <ReadFailure what="your passkeys" read={factor} />
      {passkeys.length > 0 && (
        <DataTable
          label="Passkeys"
          className={styles.table}
          columns={columnsFor(setAct)}
          keyOf={({ id }) => id}
          rows={passkeys}
          expected={1}
        />
      )}
      {dialogs && act === 'add' && <dialogs.AddPasskey onClose={close} />}
      {dialogs && act !== null && act !== 'add' && <dialogs.RemovePasskey passkey={act} onClose={close} />}
    </section>
  );
}

const usedAt = ({ lastUsedAt }: Passkey) =>
  lastUsedAt === null ? 'Never' : <Moment at={Date.parse(lastUsedAt)} past />;

const columnsFor = (remove: (passkey: Passkey) => void): Column<Passkey>[] => [
  {
    label: 'Made in',
    grey: 14,
    className: styles.browser,
    isRowHeading: true,
    cell: (passkey) => (
      <>
        <strong>{passkey.name}</strong>
        <NarrowOnly>
          Added <Moment at={Date.parse(passkey.since)} past />
        </NarrowOnly>
        <NarrowOnly>Last used: {usedAt(passkey)}</NarrowOnly>
      </>
    ),
  },
  {
    label: 'Added',
    grey: 9,
    className: styles.time,
    isWideOnly: true,
    cell: ({ since }) => <Moment at={Date.parse(since)} past />,
  },
  { label: 'Last used', grey: 9, className: styles.time, isWideOnly: true, cell: usedAt },
  {
    label: 'Actions',
    isLabelHidden: true,
    className: styles.actions,
    cell: (passkey) => (
      <Button small aria-label={`Remove passkey made in ${passkey.name}`} onClick={() => remove(passkey)}>
        Remove
      </Button>
    ),
  },
];
