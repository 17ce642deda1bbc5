import { useMutation } from '@tanstack/react-query';
import type { SecondFactor } from '../../contract/bff/second-factor.ts';
import { addPasskey, removePasskey } from '../api/passkeys.ts';
import { PasswordDialog } from '../subscriber/password-dialog.tsx';
import { useApp } from '../components/app-context.ts';
import { Codes } from './second-factor-dialogs.tsx';

/** Asks for the password, has the browser make a passkey, and shows the recovery codes if there are any. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const { toasts } = useApp();
  const add = useMutation({
    ...addPasskey,
    onSuccess: (codes) => {
      toasts.show('ok', 'Your passkey is added. You’re signed out everywhere else.');
      if (codes.length === 0) onClose();
    },
  });
  if (add.isSuccess && add.data.length > 0) return <Codes codes={add.data} onClose={onClose} />;
  return (
    <PasswordDialog
      title="Add passkey"
      action="Continue"
      busyAction="Adding…"
      request={add}
      what="the passkey was added"
      onClose={onClose}
    >
      <p>
        Your browser then asks where to keep it, such as this device, your phone or a security key. You’ll be
        signed out everywhere else, and signing in with your password also needs the passkey or a code.
      </p>
    </PasswordDialog>
  );
}

export function RemovePasskey(props: { passkey: SecondFactor['passkeys'][number]; onClose: () => void }) {
  const { passkey, onClose } = props;
  const { toasts } = useApp();
  const remove = useMutation({
    ...removePasskey(passkey.id),
    onSuccess: () => {
      toasts.show('ok', 'The passkey is removed. You’re signed out everywhere else.');
      onClose();
      // The button that had the focus goes with the passkey.
      document.querySelector('h1')?.focus();
    },
  });
  return (
    <PasswordDialog
      title="Remove passkey?"
      action="Remove passkey"
      busyAction="Removing…"
      look="danger"
      request={remove}
      what="the passkey was removed"
      onClose={onClose}
    >
      <p>
        The one made in {passkey.name} no longer signs you in, and you’ll be signed out everywhere else.
        Delete it on your device, too.
      </p>
    </PasswordDialog>
  );
}
