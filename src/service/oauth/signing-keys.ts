import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { ServiceDb } from '../schema.ts';

/** The signature of every token: ECDSA on P-256, which is short and which every JWT library checks. */
export const algorithm = 'ES256';

/** Life of a token, in seconds. */
export const tokenLifetime = 3600;

/** Interval at which a replica reads the keys again, in ms. */
const lookAgain = 5000;

/** Most early reads in that time for an unknown key. They are limited because anyone can name a key. */
const mostLooks = 5;

/**
 * Validity of a key after the next one was created, in ms: the life of its last tokens, and a minute for clocks that
 * differ.
 */
const afterlife = tokenLifetime * 1000 + lookAgain + 60_000;

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

interface Deps {
  db: ServiceDb;
  clock: () => number;
}

/** Keys in the database, so that a token is valid at every replica and after a restart. */
export function createSigningKeys(deps: Deps) {
  const imported = new Map<string, SigningKey>();
  let known: { at: number; keys: readonly SigningKey[] } | null = null;
  let looks = { since: 0, count: 0 };
  const mayLook = () => {
    const age = deps.clock() - looks.since;
    if (age < 0 || age >= lookAgain) looks = { since: deps.clock(), count: 0 };
    looks.count += 1;
    return looks.count <= mostLooks;
  };

  const load = async () => {
    const at = deps.clock();
    const keys = [];
    for (const row of await liveKeys(deps)) {
      const key = imported.get(row.kid) ?? (await importPair(JSON.parse(row.private_jwk) as NamedJwk));
      imported.set(row.kid, key);
      keys.push(key);
    }
    known = { at, keys };
    return keys;
  };
  const keys = async () => {
    const age = known === null ? null : deps.clock() - known.at;
    return known && age !== null && age >= 0 && age < lookAgain ? known.keys : load();
  };

  return {
    /** The key that signs. The very first call creates it. */
    async current(): Promise<SigningKey> {
      const [newest] = await keys();
      if (newest) return newest;
      await addKey(deps, 1);
      const [first] = await load();
      if (!first) throw new Error('The signing key that was just stored is gone.');
      return first;
    },
    /** The key with this name while its tokens are valid, else null. Every replica finds the keys of the others. */
    async find(kid: string): Promise<SigningKey | null> {
      const named = (list: readonly SigningKey[]) => list.find((key) => key.kid === kid) ?? null;
      // Another replica may have created an unknown key a moment ago and may sign with it already.
      return named(await keys()) ?? (mayLook() ? named(await load()) : null);
    },
  };
}

/** Creates the key that signs from now on. The key before it is valid until the last of its tokens has expired. */
export async function rotateSigningKey(deps: Deps): Promise<void> {
  const [newest] = await deps.db
    .selectFrom('signing_keys')
    .select('generation')
    .orderBy('generation', 'desc')
    .limit(1)
    .execute();
  await addKey(deps, (newest?.generation ?? 0) + 1);
}

/** The keys whose tokens may still be valid, newest first. Deletes the others. */
async function liveKeys({ db, clock }: Deps): Promise<{ kid: string; private_jwk: string }[]> {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('generation', 'desc').execute();
  const isOver = (index: number) => {
    const next = rows[index - 1];
    return next !== undefined && next.created_at + afterlife <= clock();
  };
  const over = rows.filter((_, index) => isOver(index)).map(({ generation }) => generation);
  if (over.length > 0) await db.deleteFrom('signing_keys').where('generation', 'in', over).execute();
  return rows.filter((_, index) => !isOver(index));
}

/** Adds a key. If several processes start at once, the first one to store its key wins; the others read it. */
async function addKey({ db, clock }: Deps, generation: number): Promise<void> {
  // Web Crypto creates keys from its own randomness and accepts none from outside.
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  await db
    .insertInto('signing_keys')
    .values({ generation, kid, private_jwk: JSON.stringify({ ...jwk, kid }), created_at: clock() })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .execute();
}

type NamedJwk = JWK & { kid: string };

async function importPair(jwk: NamedJwk): Promise<SigningKey> {
  const { d: _, ...publicJwk } = jwk;
  const [privateKey, publicKey] = await Promise.all([
    importJWK(jwk, algorithm),
    importJWK(publicJwk, algorithm),
  ]);
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array)
    throw new Error('A stored signing key is not a key pair.');
  return { kid: jwk.kid, privateKey, publicKey };
}
