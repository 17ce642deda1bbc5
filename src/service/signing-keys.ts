import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import type { ServiceTables } from './store/schema.ts';

/** The signature of every token: ECDSA on P-256, which is short and which every JWT library checks. */
export const algorithm = 'ES256';

export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

export interface SigningKeys {
  /** The key that signs; the first call of all makes it. */
  current: () => Promise<SigningKey>;
  /** The key of this name, or null: every replica finds those that another made. */
  find: (kid: string) => Promise<SigningKey | null>;
}

/** Keys kept in the database, so that a token is good at every replica and after a restart. */
export function createSigningKeys(deps: { db: Kysely<ServiceTables>; clock: () => number }): SigningKeys {
  const known = new Map<string, SigningKey>();
  let current: SigningKey | null = null;

  const remember = async (row: { private_jwk: string } | undefined) => {
    if (!row) return null;
    const key = await importPair(JSON.parse(row.private_jwk) as JWK & { kid: string });
    known.set(key.kid, key);
    return key;
  };

  const newest = async () =>
    remember(
      await deps.db
        .selectFrom('signing_keys')
        .selectAll()
        .orderBy('generation', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );

  return {
    async current() {
      current ??= await newest();
      if (current) return current;
      await addFirstKey(deps.db, deps.clock());
      current = await newest();
      if (!current) throw new Error('The signing key that was just stored is gone.');
      return current;
    },
    async find(kid) {
      const stored = () =>
        deps.db.selectFrom('signing_keys').selectAll().where('kid', '=', kid).executeTakeFirst();
      return known.get(kid) ?? remember(await stored());
    },
  };
}

/** Of several that start at once, the first to store its key wins; the others read that one back. */
async function addFirstKey(db: Kysely<ServiceTables>, now: number): Promise<void> {
  // Web Crypto makes keys from its own randomness and takes none that is handed in.
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  await db
    .insertInto('signing_keys')
    .values({ generation: 1, kid, private_jwk: JSON.stringify({ ...jwk, kid }), created_at: now })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .execute();
}

async function importPair(jwk: JWK & { kid: string }): Promise<SigningKey> {
  const { d: _, ...publicJwk } = jwk;
  const [privateKey, publicKey] = await Promise.all([
    importJWK(jwk, algorithm),
    importJWK(publicJwk, algorithm),
  ]);
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array)
    throw new Error('A stored signing key is not a key pair.');
  return { kid: jwk.kid, privateKey, publicKey };
}
