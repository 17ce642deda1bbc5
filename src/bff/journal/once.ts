import { changeHeaders } from '../../contract/http/change-headers.ts';
import { checkFingerprint, sealAnswer, unsealAnswer } from '../../contract/http/sealed-answer.ts';
import type { BffDeps } from '../deps.ts';
import { sha256 } from '../../contract/http/crypto.ts';
import type { OnceTable } from './schema.ts';
import { findClaim, type Claim, type Sealed } from './entries.ts';
import type { Mac } from './mac.ts';

/** The memory of one key: what was sent with it is done once, and answered the same again. */
export interface Once {
  readonly claim: Claim;
  /** What is known under the key. @throws {Refusal} `key-used-before` where it came with something else */
  find(): Promise<OnceTable | undefined>;
  /** An answer as it is remembered. */
  seal(answer: Response): Promise<Sealed>;
  /** The remembered answer, marked as such; null where there is none yet. */
  replay(known: OnceTable): Promise<Response | null>;
  /** Remembers the answer to what was found out later; answers what is remembered in the end. */
  remember(answer: Response): Promise<Response>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random'> & { mac: Mac };

/** @param what the operation and its input, whose fields are in the contract's order since they were read */
export async function createOnce(deps: Deps, key: string, staffId: string, what: unknown): Promise<Once> {
  const { db, clock, random, mac } = deps;
  const claim: Claim = {
    key_hash: await sha256(`${staffId}\n${key}`),
    fingerprint: await mac('fingerprint', JSON.stringify(what)),
  };
  const once: Once = {
    claim,
    async find() {
      const known = await findClaim(db, claim.key_hash, clock());
      if (known) checkFingerprint(known.fingerprint, claim.fingerprint);
      return known;
    },
    async seal(answer) {
      const headers = [...answer.headers].filter(([name]) => keptHeaders.includes(name));
      const sealed = await sealAnswer(key, [headers, await answer.clone().text()], random);
      return { status: answer.status, answer: sealed };
    },
    async replay({ status, answer }) {
      if (status === null || answer === null) return null;
      // Sealed by the function above, and by nobody else.
      const unsealed = (await unsealAnswer(key, answer)) as [[string, string][], string] | undefined;
      if (!unsealed) return null;
      const [kept, body] = unsealed;
      return new Response(body, { status, headers: [...kept, [changeHeaders.replayed, 'true']] });
    },
    async remember(answer) {
      const sealed = await once.seal(answer);
      const mine = db.updateTable('once').set(sealed).where('key_hash', '=', claim.key_hash);
      await mine.where('status', 'is', null).execute();
      const known = await once.find();
      return (known && (await once.replay(known))) ?? answer;
    },
  };
  return once;
}

const keptHeaders = ['content-type', 'etag'];
