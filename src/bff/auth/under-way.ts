import type { BffDeps } from '../deps.ts';
import { sha256, toBase64url } from '../../contract/http/crypto.ts';
import { createOpenIdCookie } from './session-cookie.ts';
import type { Binding } from './provider.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

/** How long one may take at the provider, in ms, and how many sign-ins may be under way from one address. */
export const underWayLimits = { life: 10 * 60_000, address: 200 } as const;

interface Journey {
  returnTo: string;
  formerSession: string | null;
  address: string;
}

/** Sign-ins that are under way at the OpenID provider, kept in the database: another replica may see them come back. */
export interface UnderWay {
  /** @returns what to send along, and the `Set-Cookie` that binds it to the browser */
  begin(request: Request, journey: Journey): Promise<{ binding: Binding; cookie: string }>;
  /**
   * What was begun in this very browser under this state; it can be ended once.
   *
   * @throws {SingleSignOnFailure} `expired` where it was not, was ended before, or took too long
   */
  end(request: Request, state: string | null): Promise<{ binding: Binding; journey: Journey }>;
}

export function createUnderWay(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random'> & { publicUrl: string },
): UnderWay {
  const { db, clock, random } = deps;
  const cookie = createOpenIdCookie(deps.publicUrl, underWayLimits.life / 1000);
  const countFrom = async (address: string) => {
    const count = db.fn.countAll<number>().as('count');
    const rows = db.selectFrom('single_sign_ons').select(count).where('address', '=', address);
    return (await rows.executeTakeFirstOrThrow()).count;
  };
  return {
    async begin(request, { returnTo, formerSession, address }) {
      const now = clock();
      await db
        .deleteFrom('single_sign_ons')
        .where('at', '<=', now - underWayLimits.life)
        .execute();
      // One secret for all tabs, so that a sign-in in one does not end that in another.
      const secret = cookie.read(request) ?? toBase64url(random(32));
      const binding = await bind(secret, toBase64url(random(32)));
      const key = await keyOf(secret, binding.state);
      const row = { key, return_to: returnTo, former_session: formerSession, address, at: now };
      await db.insertInto('single_sign_ons').values(row).execute();
      // Counted afterwards, because of many that come at once none would see the others before.
      if ((await countFrom(address)) > underWayLimits.address) {
        await db.deleteFrom('single_sign_ons').where('key', '=', key).execute();
        throw new SingleSignOnFailure('too-many', 'too-many');
      }
      return { binding, cookie: cookie.give(secret) };
    },
    async end(request, state) {
      const secret = cookie.read(request);
      if (secret === null || state === null) throw expired('no-cookie-or-state');
      // Taken out by the same statement that finds it: of two that come at once, one comes too late.
      const row = await db
        .deleteFrom('single_sign_ons')
        .where('key', '=', await keyOf(secret, state))
        .returningAll()
        .executeTakeFirst();
      if (!row) throw expired('not-under-way');
      if (row.at <= clock() - underWayLimits.life) throw expired('too-late');
      const journey = { returnTo: row.return_to, formerSession: row.former_session, address: row.address };
      return { binding: await bind(secret, state), journey };
    },
  };
}

const expired = (reason: string) => new SingleSignOnFailure('expired', reason);

const keyOf = (secret: string, state: string) => sha256(`key ${secret} ${state}`);

/** Nonce and verifier follow from what only the browser's cookie holds, so that a copy of the table betrays neither. */
async function bind(secret: string, state: string): Promise<Binding> {
  const nonce = await sha256(`nonce ${secret} ${state}`);
  const verifier = await sha256(`verifier ${secret} ${state}`);
  return { state, nonce, verifier };
}
