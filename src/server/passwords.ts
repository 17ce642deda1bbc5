import { timingSafeEqual } from 'node:crypto';
import type { Passwords } from '../bff/bff.ts';
import { hashInTurn } from './hashing.ts';

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. https://cheatsheetseries.owasp.org */
const usual = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** argon2id of Node itself, as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export function createPasswords(random: (bytes: number) => Uint8Array): Passwords {
  return {
    async hash(password) {
      const salt = random(saltBytes);
      const hash = await derive(password, salt, usual, hashBytes);
      const { memory, passes, parallelism } = usual;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(hash)}`;
    },
    async verify(password, hash) {
      const known = readPhc(hash);
      if (!known) return false;
      const { salt, cost, expected } = known;
      return timingSafeEqual(await derive(password, salt, cost, expected.length), expected);
    },
  };
}

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

function derive(password: string, nonce: Uint8Array, cost: Cost, tagLength: number): Promise<Uint8Array> {
  // One person's keyboard composes an "é" that another's decomposes: both are the same password.
  const message = password.normalize('NFC');
  return hashInTurn({ message, nonce, tagLength, ...cost });
}

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Costs come from the string, so that raising the usual ones later leaves old passwords valid. */
function readPhc(text: string): { salt: Uint8Array; cost: Cost; expected: Uint8Array } | null {
  const [, memory, passes, parallelism, salt, hash] = phc.exec(text) ?? [];
  if (salt === undefined || hash === undefined) return null;
  return {
    salt: Buffer.from(salt, 'base64'),
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    expected: Buffer.from(hash, 'base64'),
  };
}

/** PHC strings use base64 without padding. */
function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
