import { useState } from 'react';
import type { PasskeyAssertion, PasskeyRequest } from '../../contract/bff/passkey.ts';
import { askForPasskey, hasPasskeySupport } from '../api/passkeys.ts';
import { Button } from '../components/button.tsx';

/** The operation that gives what the browser needs. */
interface Client {
  getPasskeyRequest: (input: object) => Promise<{ data: PasskeyRequest }>;
}

interface PasskeyButtonProps {
  label: string;
  bff: Client;
  /** What becomes of the passkey that the user has picked. */
  onAnswer: (passkey: PasskeyAssertion) => unknown;
  /** Called with null when it begins. */
  onFailure: (error: Error | null) => void;
}

/** Asks the browser for a passkey; not there in browsers without any. */
export function PasskeyButton({ label, bff, onAnswer, onFailure }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false);
  if (!hasPasskeySupport()) return null;

  async function ask(): Promise<void> {
    setBusy(true);
    onFailure(null);
    try {
      await onAnswer(await askForPasskey((await bff.getPasskeyRequest({})).data));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      onFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button busy={busy} onClick={() => void ask()}>
      {label}
    </Button>
  );
}
