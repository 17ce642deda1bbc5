import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactor } from '../../contract/bff/second-factor.ts';
import { secondFactorQuery } from '../api/client.ts';
import { hasPasskeySupport } from '../api/passkeys.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Moment } from '../components/exact-time.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import styles from './account-page.module.css';

type Passkey = SecondFactor['passkeys'][number];

const columns = [
  { name: 'passkey', label: 'Made in', grey: 14 },
  { name: 'since', label: 'Added', grey: 9, className: styles.time },
  { name: 'used', label: 'Last used', grey: 9, className: styles.time },
  { name: 'actions', label: 'Actions', isLabelHidden: true, className: styles.actions },
];

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
          columns={columns}
          rows={passkeys}
          expected={1}
          renderRow={(passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setAct(passkey)} />
          )}
        />
      )}
      {dialogs && act === 'add' && <dialogs.AddPasskey onClose={close} />}
      {dialogs && act !== null && act !== 'add' && <dialogs.RemovePasskey passkey={act} onClose={close} />}
    </section>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, since, lastUsedAt } = passkey;
  const used = lastUsedAt === null ? 'Never' : <Moment at={Date.parse(lastUsedAt)} past />;
  return (
    <tr>
      <th scope="row" className={styles.browser}>
        <strong>{name}</strong>
        <span className={styles.below}>
          Added <Moment at={Date.parse(since)} past />
        </span>
        <span className={styles.below}>Last used: {used}</span>
      </th>
      <td className={styles.time}>
        <Moment at={Date.parse(since)} past />
      </td>
      <td className={styles.time}>{used}</td>
      <td className={styles.actions}>
        <Button small aria-label={`Remove passkey made in ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </td>
    </tr>
  );
}
