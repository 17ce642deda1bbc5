import type { Transaction } from 'kysely';
import { changeHeaders } from '../../contract/http/change-headers.ts';
import { sha256 } from '../../contract/http/crypto.ts';
import {
  checkFingerprint,
  keyLifetime,
  sealAnswer,
  unsealAnswer,
} from '../../contract/http/sealed-answer.ts';
import type { BffDeps } from '../deps.ts';
import type { BffTables } from '../schema.ts';
import type { Db, Mac } from './chain.ts';
import type { IdempotencyKeyTable } from './schema.ts';

/** A key that is taken for a change, and the answer to remember under it. */
export type KeyClaim = Pick<IdempotencyKeyTable, 'key_hash' | 'fingerprint'>;
export type SealedAnswer = Pick<IdempotencyKeyTable, 'status' | 'answer'>;

/** What is remembered of one `Idempotency-Key`: its change is done once, and answered the same again. */
export interface Idempotency {
  readonly claim: KeyClaim;
  /** The row of the key, if it is known. @throws {Refusal} `key-used-before` where it came with another request */
  find(): Promise<IdempotencyKeyTable | undefined>;
  seal(answer: Response): Promise<SealedAnswer>;
  /** The remembered answer, marked as replayed; null where there is none yet or it cannot be read. */
  replay(known: IdempotencyKeyTable): Promise<Response | null>;
  /** Remembers an answer that was found out later. @returns the answer that is remembered in the end */
  remember(answer: Response): Promise<Response>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random'> & { mac: Mac };

/** @param request the operation and its input, whose fields are in the contract's order since they were read */
export async function createIdempotency(
  { db, clock, random, mac }: Deps,
  key: string,
  staffId: string,
  request: unknown,
): Promise<Idempotency> {
  const claim: KeyClaim = {
    key_hash: await sha256(`${staffId}\n${key}`),
    fingerprint: await mac('fingerprint', JSON.stringify(request)),
  };
  const idempotency: Idempotency = {
    claim,
    async find() {
      const known = await findKey(db, claim.key_hash, clock());
      if (known) checkFingerprint(known.fingerprint, claim.fingerprint);
      return known;
    },
    async seal(answer) {
      const headers = [...answer.headers].filter(([name]) => rememberedHeaders.includes(name));
      const sealed = await sealAnswer(key, [headers, await answer.clone().text()], random);
      return { status: answer.status, answer: sealed };
    },
    async replay({ status, answer }) {
      if (status === null || answer === null) return null;
      // `seal` made it, so that it has this form where it can be read at all.
      const unsealed = (await unsealAnswer(key, answer)) as [[string, string][], string] | undefined;
      if (!unsealed) return null;
      const [headers, body] = unsealed;
      return new Response(body, { status, headers: [...headers, [changeHeaders.replayed, 'true']] });
    },
    async remember(answer) {
      const own = db
        .updateTable('once')
        .set(await idempotency.seal(answer))
        .where('key_hash', '=', claim.key_hash);
      await own.where('status', 'is', null).execute();
      const known = await idempotency.find();
      return (known && (await idempotency.replay(known))) ?? answer;
    },
  };
  return idempotency;
}

const rememberedHeaders = ['content-type', 'etag'];

export async function findKey(
  db: Db,
  keyHash: string,
  now: number,
): Promise<IdempotencyKeyTable | undefined> {
  const query = db.selectFrom('once').selectAll().where('key_hash', '=', keyHash);
  const found = await query.executeTakeFirst();
  return found && (found.at > now - keyLifetime || found.status === null) ? found : undefined;
}

/** Stores a key with its change, and deletes the expired ones whose change is closed. */
export async function storeKey(tx: Transaction<BffTables>, key: IdempotencyKeyTable): Promise<void> {
  await tx
    .deleteFrom('once')
    .where('at', '<=', key.at - keyLifetime)
    .where('entry_id', 'not in', (row) => row.selectFrom('journal').select('id').where('outcome', 'is', null))
    .execute();
  await tx.insertInto('once').values(key).execute();
}

/** Stores the answer to a change, if it came with a key. */
export async function storeAnswer(
  tx: Transaction<BffTables>,
  entryId: string,
  sealed: SealedAnswer,
): Promise<void> {
  const { status, answer } = sealed;
  await tx.updateTable('once').set({ status, answer }).where('entry_id', '=', entryId).execute();
}

/** Forgets the key of a change that was not done, so that the same key can try again. */
export async function deleteKey(tx: Transaction<BffTables>, entryId: string): Promise<void> {
  await tx.deleteFrom('once').where('entry_id', '=', entryId).execute();
}
