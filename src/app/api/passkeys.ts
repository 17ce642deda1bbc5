import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '../../contract/bff/passkey.ts';
import { ApiError } from '../../contract/http/client.ts';
import { loadFile } from '../components/use-lazy-module.ts';

/** True if this browser, at this address, supports passkeys at all. */
export const hasPasskeySupport = (): boolean => 'PublicKeyCredential' in globalThis;

// The browser's own functions take binary values: the library that converts them is loaded when it is needed.
const loadLibrary = () => loadFile(() => import('@simplewebauthn/browser'));

/**
 * Has the browser ask for a passkey, whichever the user picks.
 *
 * @throws {ApiError} with a sentence that says what to do
 */
export async function askForPasskey(optionsJSON: PasskeyRequest): Promise<PasskeyAssertion> {
  const { startAuthentication } = await loadLibrary();
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch(refuse);
  return { id, rawId, type, response };
}

/** Has the browser make a passkey. @throws {ApiError} with a sentence that says what to do */
export async function makePasskey(optionsJSON: PasskeyCreation): Promise<PasskeyRegistration> {
  const { startRegistration } = await loadLibrary();
  const made = await startRegistration({ optionsJSON }).catch(refuse);
  const { id, rawId, type, response } = made;
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
}

/** By the name of the browser's error, https://www.w3.org/TR/webauthn-3/#sctn-op-create */
const sentences: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account. Use that one, or another device.',
  SecurityError:
    'Passkeys don’t work at this address. Open Subscriber Desk by its name with https, not by a number such as 127.0.0.1.',
  NotSupportedError: 'This device can’t make such a passkey. Use another device or a security key.',
  ConstraintError:
    'This device can’t check that it’s you. Set up a screen lock or a PIN on it, or use another device.',
};

function refuse(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : '';
  // Browsers do not tell a dialog that was closed from one that was left open, and from a device without a passkey.
  const usual = 'No passkey was used: you cancelled, there was none, or it took too long. Try again.';
  throw new ApiError('other', sentences[name] ?? usual, { cause });
}
