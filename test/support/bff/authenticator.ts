import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '../../../src/contract/bff/passkey.ts';

/** What is different from how a browser and its authenticator answer. */
interface Change {
  /** The origin of the page. */
  origin?: string;
  rpId?: string;
  /** Whether the authenticator checked who uses it. */
  verified?: boolean;
  counter?: number;
  userHandle?: string;
}

/** The page that the answers come from, unless a test says otherwise. */
export const passkeyPage = 'http://localhost:8080';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** A security key in software with one passkey (ES256), which counts its signatures as hardware does. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
  };
  let counter = 0;
  let user = '';

  const clientData = (type: string, challenge: string, { origin = passkeyPage }: Change) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (rpId: string, hasKey: boolean, change: Change) => {
    const flags = 1 + (change.verified === false ? 0 : 4) + (hasKey ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(change.counter ?? counter);
    return Buffer.concat([sha256(change.rpId ?? rpId), Buffer.from([flags]), count]);
  };

  return {
    id: credential.id,
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
        Buffer.from([0, id.length]),
        id,
        isoCBOR.encode(key),
      ]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, change).toString('base64url'),
          attestationObject: Buffer.from(
            isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]),
          ).toString('base64url'),
          transports: ['usb'],
        },
      };
    },
    /** Uses the passkey, as `navigator.credentials.get` does. */
    get(options: PasskeyRequest, change: Change = {}): PasskeyAssertion {
      counter += 1;
      const data = clientData('webauthn.get', options.challenge, change);
      const authData = authenticatorData(options.rpId, false, change);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: change.userHandle ?? user,
        },
      };
    },
  };
}
