import { useEffect, useId, useRef, useState } from 'react';
import { encode } from 'uqr';
import type { AppSetup, SecondFactor } from '../../contract/bff/second-factor.ts';
import type { ActionInput } from '../api/actions.ts';
import { makePasskey } from '../api/passkeys.ts';
import { useAction } from '../api/use-action.ts';
import { Button, type ButtonVariant } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { useStay } from '../components/leave-guard.tsx';
import { Notice } from '../components/notice.tsx';
import { saveFile } from '../api/files.tsx';
import styles from './factor-dialog.module.css';

export type Passkey = SecondFactor['passkeys'][number];

/** Actions on second factors; a passkey can only be removed. */
export type FactorAct = keyof typeof steps | Passkey;

type FactorOperation = 'setUpApp' | 'removeApp' | 'renewRecoveryCodes' | 'addPasskey' | 'removePasskey';

interface Step {
  operation: FactorOperation;
  input?: ActionInput<'removePasskey'>;
  title: string;
  /** The texts of its button, at first and while it is in progress. */
  action: string;
  busyAction: string;
  variant?: ButtonVariant;
  /** The consequences, in sentences. */
  text: string;
  done: string;
  toast?: string;
}

const steps = {
  setUp: {
    operation: 'setUpApp',
    title: 'Set up authenticator app',
    action: 'Continue',
    busyAction: 'Making a key…',
    text: 'You need an app that shows codes for signing in, such as your password manager, on your phone. Once it’s set up, you’ll get new recovery codes, older ones stop working, and you’ll be signed out everywhere else.',
    done: 'a key was made',
  },
  replace: {
    operation: 'setUpApp',
    title: 'Use another authenticator app',
    action: 'Continue',
    busyAction: 'Making a key…',
    text: 'The app and the recovery codes that you have now stop working for this account once the new one is set up. You’ll get new codes, and you’ll be signed out everywhere else.',
    done: 'a key was made',
  },
  remove: {
    operation: 'removeApp',
    title: 'Remove your authenticator app?',
    action: 'Remove app',
    busyAction: 'Removing…',
    variant: 'danger',
    text: 'Its codes stop working, and you’ll be signed out everywhere else. If you have no passkey, you’ll sign in with your password only, and your recovery codes stop working too.',
    done: 'the app was removed',
    toast: 'Your authenticator app is removed. You’re signed out everywhere else.',
  },
  renew: {
    operation: 'renewRecoveryCodes',
    title: 'Make new recovery codes?',
    action: 'Make new codes',
    busyAction: 'Making…',
    text: 'Those that you have now stop working, and you’ll be signed out everywhere else.',
    done: 'new codes were made',
  },
  addPasskey: {
    operation: 'addPasskey',
    title: 'Add passkey',
    action: 'Continue',
    busyAction: 'Adding…',
    text: 'Your browser then asks where to keep it, such as this device, your phone or a security key. You’ll be signed out everywhere else, and signing in with your password also needs the passkey or a code.',
    done: 'the passkey was added',
    toast: 'Your passkey is added. You’re signed out everywhere else.',
  },
} as const satisfies Record<string, Step>;

const removePasskey = ({ id, name }: Passkey): Step => ({
  operation: 'removePasskey',
  input: { params: { id } },
  title: 'Remove passkey?',
  action: 'Remove passkey',
  busyAction: 'Removing…',
  variant: 'danger',
  text: `The one made in ${name} no longer signs you in, and you’ll be signed out everywhere else. If you have no other second factor, you’ll sign in with your password only, and your recovery codes stop working too. Delete it on your device, too.`,
  done: 'the passkey was removed',
  toast: 'The passkey is removed. You’re signed out everywhere else.',
});

/** Says what will happen, does it, and goes on with what comes of it: the key of an app, recovery codes, or neither. */
export function FactorDialog({ act, onClose }: { act: FactorAct; onClose: () => void }) {
  const step: Step = typeof act === 'string' ? steps[act] : removePasskey(act);
  const { operation, input, text, done, toast, ...texts } = step;
  const acting = useAction<FactorOperation, object>(operation, {
    done,
    check: 'Reload the page',
    ...(toast !== undefined && { toast }),
    onDone({ data }) {
      if (!data || !('key' in data || data.recoveryCodes.length > 0)) onClose();
    },
    ...(operation === 'addPasskey' && {
      send: async (client) =>
        client.addPasskey({ body: await makePasskey((await client.startPasskey({})).data) }),
    }),
  });
  useStay(acting.isBusy && !acting.unconfirmed);
  const { data } = acting.reply ?? {};
  if (data && 'key' in data) return <Scan setup={data} onClose={onClose} />;
  if (data && data.recoveryCodes.length > 0) return <Codes codes={data.recoveryCodes} onClose={onClose} />;
  return (
    <ConfirmDialog {...texts} acting={acting} onSubmit={() => void acting.run(input ?? {})} onClose={onClose}>
      <p>{text}</p>
    </ConfirmDialog>
  );
}

/** Shows the key of a new app and asks for its first code. */
function Scan({ setup: { key, uri, setup }, onClose }: { setup: AppSetup; onClose: () => void }) {
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // The element with the focus was removed with the previous dialog.
  useEffect(() => input.current?.focus(), []);
  const confirming = useAction('confirmApp', {
    done: 'the app was set up',
    check: 'Reload the page',
    toast: 'Signing in now needs a code. You’re signed out everywhere else.',
    onFailure() {
      input.current?.focus();
      input.current?.select();
    },
  });
  useStay(confirming.isBusy && !confirming.unconfirmed);
  if (confirming.reply) return <Codes codes={confirming.reply.data.recoveryCodes} onClose={onClose} />;
  const wrong = confirming.fields['code']?.[0];
  return (
    <ConfirmDialog
      title="Scan this with the app"
      action="Confirm"
      busyAction="Confirming…"
      acting={wrong === undefined ? confirming : { ...confirming, failure: null }}
      onSubmit={() => void confirming.run({ body: { setup, code } })}
      onClose={onClose}
    >
      <div className={styles.qr}>
        <QrCode text={uri} label="QR code with the key" />
      </div>
      <p>
        If the app can’t scan, type this key into it. <a href={uri}>On a phone, open the app.</a>
      </p>
      <div className={`row ends inset ${styles.key}`}>
        <code>{key.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={key} name="key" small />
      </div>
      <TextField
        label="Code"
        hint="The six digits that the app shows then."
        error={wrong}
        ref={input}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </ConfirmDialog>
  );
}

/** Shows recovery codes, once. */
function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const heading = useId();
  const box = useRef<HTMLUListElement>(null);
  const [tried, setTried] = useState(false);
  // The element with the focus was removed with the previous dialog.
  useEffect(() => box.current?.focus(), []);
  // A slip of the finger must not lose what nobody can see again.
  const keep = () => setTried(true);
  useStay(true, keep);
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      title="Your recovery codes"
      onClose={keep}
      actions={
        <>
          <CopyButton text={text} name="codes" small={false} />
          <Button onClick={() => saveFile('subscriber-desk-recovery-codes.txt', 'text/plain', text)}>
            Save as file
          </Button>
          <Button variant="primary" onClick={onClose}>
            I have kept them
          </Button>
        </>
      }
    >
      <p id={heading}>
        If your phone is lost, each of these signs you in once instead of a code. Keep them where you keep
        important papers, or in your password manager.
      </p>
      <ul ref={box} tabIndex={-1} className={`columns inset ${styles.codes}`} aria-labelledby={heading}>
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
