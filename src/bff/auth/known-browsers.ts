import type { BffDeps } from '../deps.ts';
import { sha256, toBase64url } from '../../contract/http/crypto.ts';
import type { StaffTable } from '../schema.ts';
import { createBrowserCookie, knownDays } from './cookies.ts';

/**
 * Browsers in which an account has been used before. Somebody who guesses passwords locks the account for all other
 * browsers; a known browser is counted separately, so that the owner still gets in. Its cookie signs nobody in and is
 * no second factor.
 */
export interface KnownBrowsers {
  /** The key of the browser that sent a request, if it is known for the account; else null. */
  find(request: Request, account: string): Promise<string | null>;
  /** Makes the browser known for an account that has just signed in there; returns the `Set-Cookie`. */
  remember(request: Request, staff: Pick<StaffTable, 'id' | 'name_key'>): Promise<string>;
}

const life = knownDays * 24 * 60 * 60_000;

export function createKnownBrowsers(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random' | 'transport'>,
): KnownBrowsers {
  const { db, clock, random, transport } = deps;
  if (transport.kind === 'tab') return { find: async () => null, remember: async () => '' };
  const cookie = createBrowserCookie(transport.publicUrl);

  const find = async (request: Request, account: string) => {
    const id = cookie.read(request);
    if (id === null) return null;
    const known = await db
      .selectFrom('known_browsers')
      .innerJoin('staff', 'staff.id', 'known_browsers.staff_id')
      .select('known_browsers.key')
      .where('known_browsers.key', '=', await sha256(id))
      .where('known_browsers.seen_at', '>', clock() - life)
      .where('staff.name_key', '=', account)
      .executeTakeFirst();
    return known?.key ?? null;
  };

  return {
    find,
    async remember(request, staff) {
      const now = clock();
      await db
        .deleteFrom('known_browsers')
        .where('seen_at', '<=', now - life)
        .execute();
      const known = await find(request, staff.name_key);
      const id = known === null ? null : cookie.read(request);
      if (known !== null && id !== null) {
        await db.updateTable('known_browsers').set({ seen_at: now }).where('key', '=', known).execute();
        return cookie.set(id);
      }
      // A new id for another account: two people never share one.
      const fresh = toBase64url(random(32));
      const row = { key: await sha256(fresh), staff_id: staff.id, seen_at: now };
      await db.insertInto('known_browsers').values(row).execute();
      return cookie.set(fresh);
    },
  };
}
