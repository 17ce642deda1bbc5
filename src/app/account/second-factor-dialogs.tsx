import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { encode } from 'uqr';
import type { AppSetup } from '../../contract/bff/second-factor.ts';
import { confirmApp, removeApp, renewRecoveryCodes, setUpApp } from '../api/mutations.ts';
import { describeError } from '../api/errors.ts';
import { askAgain, fieldError, PasswordDialog } from '../subscriber/password-dialog.tsx';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, inputClass } from '../components/field.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { saveFile } from '../components/save-file.ts';
import styles from './second-factor-dialogs.module.css';

/** What a dialog is about. */
export type Act = 'setUp' | 'remove' | 'renew';

interface DialogProps {
  /** Whether there is an authenticator app already. */
  hasApp: boolean;
  onClose: () => void;
}

/** What to do when it is not known whether something was done. */
const reload = 'Reload the page';

const dialogs = { setUp: SetUp, remove: Remove, renew: Renew } as const;

export function SecondFactorDialog({ act, ...props }: DialogProps & { act: Act }) {
  const Asked = dialogs[act];
  return <Asked {...props} />;
}

/** Asks for the password, shows the key of a new app, asks for its first code, and shows the recovery codes. */
function SetUp({ hasApp, onClose }: DialogProps) {
  const begin = useMutation(setUpApp);
  if (begin.isSuccess) return <Scan setup={begin.data} onClose={onClose} />;
  return (
    <PasswordDialog
      title={hasApp ? 'Use another authenticator app' : 'Set up authenticator app'}
      action="Continue"
      busyAction="Checking…"
      request={begin}
      what="a key was made"
      onClose={onClose}
    >
      <p>
        {hasApp
          ? 'The app that you use now stops working for this account once the new one is set up.'
          : 'You need an app that shows codes for signing in, such as your password manager, on your phone.'}
      </p>
    </PasswordDialog>
  );
}

function Scan({ setup: { key, uri, setup }, onClose }: { setup: AppSetup; onClose: () => void }) {
  const { toasts } = useApp();
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // The element with the focus was removed with the previous dialog.
  useEffect(() => input.current?.focus(), []);
  const confirm = useMutation({
    ...confirmApp,
    onSuccess: () => toasts.show('ok', 'Signing in now needs a code. You’re signed out everywhere else.'),
  });
  if (confirm.isSuccess) return <Codes codes={confirm.data} onClose={onClose} />;
  const wrong = fieldError(confirm.error, 'code');
  return (
    <ConfirmDialog
      title="Scan this with the app"
      action="Confirm"
      busyAction="Confirming…"
      busy={confirm.isPending}
      error={
        wrong
          ? null
          : confirm.error && describeError(confirm.error, { done: 'the app was set up', check: reload })
      }
      onSubmit={() => confirm.mutate({ setup, code }, { onError: () => askAgain(input.current) })}
      onClose={onClose}
    >
      <div className={styles.qr}>
        <QrCode text={uri} label="QR code with the key" />
      </div>
      <p>
        If the app can’t scan, type this key into it. <a href={uri}>On a phone, open the app.</a>
      </p>
      <div className={styles.key}>
        <code>{key.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={key} name="key" small />
      </div>
      <Field label="Code" error={wrong} hint="The six digits that the app shows then.">
        {(parts) => (
          <input
            {...parts}
            ref={input}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            className={inputClass}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}

function Remove({ onClose }: DialogProps) {
  const { toasts } = useApp();
  const remove = useMutation({
    ...removeApp,
    onSuccess: () => {
      toasts.show('ok', 'Your authenticator app is removed. You’re signed out everywhere else.');
      onClose();
    },
  });
  return (
    <PasswordDialog
      title="Remove your authenticator app?"
      action="Remove app"
      busyAction="Removing…"
      look="danger"
      request={remove}
      what="the app was removed"
      onClose={onClose}
    >
      <p>
        Its codes stop working, and you’ll be signed out everywhere else. If you have no passkey, you’ll sign
        in with your password only, and your recovery codes stop working too.
      </p>
    </PasswordDialog>
  );
}

function Renew({ onClose }: DialogProps) {
  const renew = useMutation(renewRecoveryCodes);
  if (renew.isSuccess) return <Codes codes={renew.data} onClose={onClose} />;
  return (
    <PasswordDialog
      title="Make new recovery codes?"
      action="Make new codes"
      busyAction="Making…"
      request={renew}
      what="new codes were made"
      onClose={onClose}
    >
      <p>Those that you have now stop working.</p>
    </PasswordDialog>
  );
}

/** Shows recovery codes, once. */
export function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const heading = useId();
  const box = useRef<HTMLUListElement>(null);
  const [tried, setTried] = useState(false);
  // The element with the focus was removed with the previous dialog.
  useEffect(() => box.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      title="Your recovery codes"
      // A slip of the finger must not lose what nobody can see again.
      onClose={() => setTried(true)}
      actions={
        <>
          <CopyButton text={text} name="codes" small={false} />
          <Button onClick={() => saveFile('subscriber-desk-recovery-codes.txt', 'text/plain', text)}>
            Save as file
          </Button>
          <Button look="primary" onClick={onClose}>
            I have kept them
          </Button>
        </>
      }
    >
      <p id={heading}>
        If your phone is lost, each of these signs you in once instead of a code. Keep them where you keep
        important papers, or in your password manager.
      </p>
      <ul ref={box} tabIndex={-1} className={styles.codes} aria-labelledby={heading}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Notice tone="warn">Shown only once. If they’re lost, make new ones here.</Notice>
      <div role="alert">
        {tried && (
          <Notice tone="bad">
            Keep the codes first, then press “I have kept them”. You can’t see them again.
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

/** Modules of white around the code, without which cameras do not find it (ISO/IEC 18004). */
const quietZone = 4;

/**
 * A text as a QR code, black on white in the dark theme too: many cameras read no inverted ones. One path, because a code
 * has some thousand modules.
 */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: quietZone, ecc: 'M' });
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="white" />
      <path d={pathOf(data)} fill="black" />
    </svg>
  );
}

/** A square for each dark module. */
const pathOf = (rows: readonly (readonly boolean[])[]) =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
