import type { Passwords } from '../bff/http/bff.ts';
import { equalInConstantTime } from '../lib/crypto.ts';
import { createThread } from './thread.ts';

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. https://cheatsheetseries.owasp.org */
const currentCost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** argon2id of Node itself, as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export function createPasswords(random: (bytes: number) => Uint8Array): Passwords {
  return {
    async hash(password) {
      const salt = random(saltBytes);
      const hash = await derive(password, { salt, cost: currentCost, length: hashBytes });
      const { memory, passes, parallelism } = currentCost;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(hash)}`;
    },
    async verify(password, hash) {
      const stored = readPhc(hash);
      if (!stored) return false;
      const { salt, cost } = stored;
      const derived = await derive(password, { salt, cost, length: stored.hash.length });
      return equalInConstantTime(toBase64(derived), toBase64(stored.hash));
    },
  };
}

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

function derive(
  password: string,
  { salt, cost, length }: { salt: Uint8Array; cost: Cost; length: number },
): Promise<Uint8Array> {
  // One person's keyboard composes an "é" that another's decomposes: both are the same password.
  const message = password.normalize('NFC');
  return hashInThread({ message, nonce: salt, tagLength: length, ...cost });
}

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Costs come from the string, so that old passwords stay valid when the current cost is raised. */
function readPhc(text: string): { salt: Uint8Array; cost: Cost; hash: Uint8Array } | null {
  const [, memory, passes, parallelism, salt, hash] = phc.exec(text) ?? [];
  if (salt === undefined || hash === undefined) return null;
  return {
    salt: Buffer.from(salt, 'base64'),
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    hash: Buffer.from(hash, 'base64'),
  };
}

/** PHC strings use base64 without padding. */
const toBase64 = (bytes: Uint8Array) => bytes.toBase64({ omitPadding: true });

/** Parameters of argon2id for the hashing thread: memory in KiB, the length in bytes. */
export interface HashParameters extends Cost {
  message: string;
  nonce: Uint8Array;
  tagLength: number;
}

/** The answer of the hashing thread. */
export type HashResult = { bytes: Uint8Array } | { failure: string };

const thread = createThread<HashResult>('hashing-thread');

/**
 * One hash takes a processor for some 50 ms. On Node's own thread pool a few hundred sign-ins at once would slow down
 * everybody, so hashes are made one after the other on a thread of low priority. The BFF asks for a few at a time.
 */
async function hashInThread(parameters: HashParameters): Promise<Uint8Array> {
  const answer = await thread.ask(parameters);
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.bytes;
}
