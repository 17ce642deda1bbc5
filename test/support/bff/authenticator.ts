import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '../../../src/contract/bff/passkey.ts';

/** Differences from how a browser and its authenticator answer. */
interface Change {
  /** The origin of the page. */
  origin?: string;
  /** True if the page is in a frame of another site. */
  crossOrigin?: boolean;
  rpId?: string;
  /** True if the authenticator checked who uses it. */
  verified?: boolean;
  counter?: number;
  userHandle?: string;
  /** True if the maker of the authenticator signs for it, by a certificate. */
  certified?: boolean;
}

/** The page that the answers come from, unless a test says otherwise. */
export const passkeyPage = 'http://localhost:8080';

/** A maker that is made up: its certificate and its key, both in DER. */
const maker = {
  certificate:
    'MIIB8jCCAZmgAwIBAgIUf7mwxpxm0Hz45BEwo4fKODjxwCAwCgYIKoZIzj0EAwIwYDELMAkGA1UEBhMCTk8xFTATBgNVBAoM' +
    'DEV4YW1wbGUgS2V5czEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEWMBQGA1UEAwwNRXhhbXBsZSBLZXkg' +
    'MTAgFw0yNjExMjgwMzEwNTBaGA8yMTI2MTEwNDAzMTA1MFowYDELMAkGA1UEBhMCTk8xFTATBgNVBAoMDEV4YW1wbGUgS2V5' +
    'czEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEWMBQGA1UEAwwNRXhhbXBsZSBLZXkgMTBZMBMGByqGSM49' +
    'AgEGCCqGSM49AwEHA0IABF9y9bAcKvBJe/QUXofP1betIapBKaoWuSRzIX1OZxqBtQQGiXp91PGaTFClHIskM6OsAfbsstFS' +
    'wfHj2kQqeVKjLzAtMAwGA1UdEwEB/wQCMAAwHQYDVR0OBBYEFHY6yfVbRwJMQVMOzcwaAzUZkmaxMAoGCCqGSM49BAMCA0cA' +
    'MEQCIBOw+R13REIYvPTQx/F41iO9OhOVDrS6rTKpOtT8mHDUAiBGV6ycxXPzjuGSv70IUguv6UWCHfjZDKM89HaLwab2TA==',
  key:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNKKHQIKBZd+IZcRLRFsmi4A/7ktysNHGApXAXc5QR6ShRANC' +
    'AARfcvWwHCrwSXv0FF6Hz9W3rSGqQSmqFrkkcyF9TmcagbUEBol6fdTxmkxQpRyLJDOjrAH27LLRUsHx49pEKnlS',
};

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

/** A security key in software with one passkey (ES256), which counts its signatures as hardware does. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const bytes = randomBytes(16);
  const id = base64url(bytes);
  const credential = { id, rawId: id, type: 'public-key' as const };
  let counter = 0;
  let user = '';

  const clientData = (
    type: string,
    challenge: string,
    { origin = passkeyPage, crossOrigin = false }: Change,
  ) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  const authenticatorData = (rpId: string, hasKey: boolean, change: Change) => {
    const flags = 1 + (change.verified === false ? 0 : 4) + (hasKey ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(change.counter ?? counter);
    return Buffer.concat([sha256(change.rpId ?? rpId), Buffer.from([flags]), count]);
  };

  return {
    id,
    /** Makes the passkey, as `navigator.credentials.create` does. */
    create(options: PasskeyCreation, change: Change = {}): PasskeyRegistration {
      user = options.user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Uint8Array.fromBase64(x, { alphabet: 'base64url' })],
        [-3, Uint8Array.fromBase64(y, { alphabet: 'base64url' })],
      ]);
      const authData = Buffer.concat([
        authenticatorData(options.rp.id, true, change),
        // No model, and the length of the id.
        Buffer.alloc(16),
        Buffer.from([0, bytes.length]),
        bytes,
        isoCBOR.encode(key),
      ]);
      const data = clientData('webauthn.create', options.challenge, change);
      const attestation = new Map<string, unknown>([
        ['fmt', change.certified ? 'packed' : 'none'],
        ['attStmt', change.certified ? certify(Buffer.concat([authData, sha256(data)])) : new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      const response = {
        clientDataJSON: base64url(data),
        attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
        transports: ['usb'],
      };
      return { ...credential, response };
    },
    /** Uses the passkey, as `navigator.credentials.get` does. */
    get(options: PasskeyRequest, change: Change = {}): PasskeyAssertion {
      counter += 1;
      const data = clientData('webauthn.get', options.challenge, change);
      const authData = authenticatorData(options.rpId, false, change);
      const response = {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
        userHandle: change.userHandle ?? user,
      };
      return { ...credential, response };
    },
  };
}

/** The statement of an authenticator's maker about a new passkey. */
function certify(passkey: Buffer): Map<string, unknown> {
  const key = createPrivateKey({ key: Buffer.from(maker.key, 'base64'), format: 'der', type: 'pkcs8' });
  return new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(sign('sha256', passkey, key))],
    ['x5c', [new Uint8Array(Buffer.from(maker.certificate, 'base64'))]],
  ]);
}
