import type { ExpressionBuilder, Transaction } from 'kysely';
import { changeHeaders, checkFingerprint, keyLifetime } from '../../contract/http/change-headers.ts';
import { sealAnswer, sha256 as sha256ByWebCrypto, unsealAnswer } from '../../lib/crypto.ts';
import { problems, type ProblemCode } from '../../contract/http/problem-codes.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { Subscriber, SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import type { BffTables } from '../schema.ts';
import type { Db, Mac } from './chain.ts';
import type { IdempotencyKeyTable } from './schema.ts';

/** What a change has made of its subscriber. */
export interface ChangeResult {
  /** The id of its entry in the journal. */
  readonly entry: string;
  /**
   * The record afterwards; for a deletion, before it. Its token is masked, but for a regeneration, which is for the token
   * and answers no lists.
   */
  readonly record: Subscriber | SubscriberDetail;
  readonly etag: string | null;
  /** An earlier request with the same key has made the change. */
  readonly replayed?: true;
}

/** How a change ended that was sent: the result, or why the service or the BFF refused it. */
export type Ending = { result: ChangeResult } | { refusal: Problem };

/** A key that is stored for a change, and the ending that is stored under it. */
export type KeyClaim = Pick<IdempotencyKeyTable, 'key_hash' | 'fingerprint'>;
export type SealedEnding = Pick<IdempotencyKeyTable, 'status' | 'answer'>;

/** One `Idempotency-Key`: its change is made once, and ends the same for each request. */
export interface IdempotencyKey {
  readonly claim: KeyClaim;
  /** The stored row of the key, if there is one. @throws {Problem} `key-used-before` if it came with another request */
  find(): Promise<IdempotencyKeyTable | undefined>;
  /** Encrypts an ending, to store it; null where nobody will ask for it. */
  seal(ending: Ending): Promise<SealedEnding | null>;
  /** The stored result; null if there is none yet or it cannot be read. @throws {Problem} the stored refusal */
  replay(known: IdempotencyKeyTable): Promise<ChangeResult | null>;
  /** Stores a result that was found out later, unless there is one. @returns the stored result */
  remember(result: ChangeResult): Promise<ChangeResult>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'sha256'> & { mac: Mac };

/** @param request the operation and its input; reading it has put the fields into the contract's order */
export async function createIdempotencyKey(
  deps: Deps,
  key: string,
  staffId: string,
  request: unknown,
): Promise<IdempotencyKey> {
  const { db, random } = deps;
  const own = await createJobKey(deps, `${staffId}\n${key}`, request);
  const seal = async (ending: Ending): Promise<SealedEnding> => {
    const status = 'result' in ending ? 200 : problems[ending.refusal.code][0];
    return { status, answer: await sealAnswer(key, asStored(ending), random) };
  };
  const replay: IdempotencyKey['replay'] = async ({ answer }) =>
    answer === null ? null : resultOf(await unsealAnswer(key, answer));
  return {
    ...own,
    seal,
    replay,
    async remember(result) {
      const stored = db
        .updateTable('once')
        .set(await seal({ result }))
        .where('key_hash', '=', own.claim.key_hash);
      await stored.where('status', 'is', null).execute();
      const known = await own.find();
      return (known && (await replay(known))) ?? { ...result, replayed: true };
    },
  };
}

/** The key of a row of a job: it is made once, and nobody will ask for its answer, which may hold a token. */
export async function createJobKey(
  { db, clock, mac, sha256 = sha256ByWebCrypto }: Omit<Deps, 'random'>,
  key: string,
  request: unknown,
): Promise<IdempotencyKey> {
  const claim: KeyClaim = {
    key_hash: await sha256(key),
    fingerprint: await mac('fingerprint', JSON.stringify(request)),
  };
  return {
    claim,
    async find() {
      const row = db.selectFrom('once').selectAll().where('key_hash', '=', claim.key_hash);
      const known = await row.where(isUsed(clock())).executeTakeFirst();
      if (known) checkFingerprint(known.fingerprint, claim.fingerprint);
      return known;
    },
    seal: async () => null,
    replay: async () => null,
    remember: async (result) => result,
  };
}

function asStored(ending: Ending): unknown {
  if ('result' in ending) return ending;
  const { code, message, particulars } = ending.refusal;
  const { errors, obstacles } = particulars;
  return { refusal: { code, message, errors, obstacles } };
}

/** @throws {Problem} if that is what was stored */
function resultOf(stored: unknown): ChangeResult | null {
  // Made by `asStored` if it can be decrypted, unless by a version before it.
  const { result, refusal } = Object(stored) as {
    result?: ChangeResult;
    refusal?: { code: ProblemCode; message: string } & Problem['particulars'];
  };
  if (refusal) {
    const { code, message, ...particulars } = refusal;
    throw new Problem(code, message, { ...particulars, headers: { [changeHeaders.replayed]: 'true' } });
  }
  return result ? { ...result, replayed: true } : null;
}

/** Whether a key has not expired. That of a change without an ending never does. */
export const isUsed = (now: number) => (row: ExpressionBuilder<BffTables, 'once'>) =>
  row.or([row('at', '>', now - keyLifetime), row('status', 'is', null)]);

/** Stores a key with its change, in place of an expired one. */
export async function storeKey(tx: Transaction<BffTables>, key: IdempotencyKeyTable): Promise<void> {
  const row = tx.insertInto('once').values(key);
  await row.onConflict((conflict) => conflict.column('key_hash').doUpdateSet(key)).execute();
}

/** Deletes the keys whose change is closed, with what is stored under them, once they have expired. */
export async function deleteExpiredKeys(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('once')
    .where('at', '<=', now - keyLifetime)
    .where('entry_id', 'not in', (row) => row.selectFrom('journal').select('id').where('outcome', 'is', null))
    .execute();
}

/** Stores the ending of a change, if the change has a key. */
export async function storeEnding(
  tx: Transaction<BffTables>,
  entryId: string,
  sealed: SealedEnding,
): Promise<void> {
  await tx.updateTable('once').set(sealed).where('entry_id', '=', entryId).execute();
}

/** Deletes the key of a change that was not made, so that the same key can be used to try again. */
export async function deleteKey(tx: Transaction<BffTables>, entryId: string): Promise<void> {
  await tx.deleteFrom('once').where('entry_id', '=', entryId).execute();
}
