import { readIfMatch } from '../../contract/http/change-headers.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { maskedToken } from '../../contract/bff/access-token.ts';
import type { Db } from './chain.ts';
import type { Known } from './record.ts';

/**
 * Holds the version that a change is meant for against the record as it is.
 *
 * @throws {Refusal} `changed-meanwhile`, with the record as it is now and who made it so
 */
export async function checkVersion(
  db: Db,
  ifMatch: string | null,
  now: Known | null,
  maskTokens: boolean,
): Promise<void> {
  const allowed = readIfMatch(ifMatch);
  if (allowed === null || !now) return;
  if (now.version !== null && allowed.includes(now.version)) return;
  throw await changedMeanwhile(db, now, maskTokens);
}

export async function changedMeanwhile(db: Db, now: Known | null, maskTokens: boolean): Promise<Refusal> {
  const sentence =
    'Somebody changed it after you read it. Look at what they changed, then make your change once more.';
  if (!now) return new Refusal('changed-meanwhile', sentence);
  const { record } = now;
  const current = maskTokens ? { ...record, accessToken: maskedToken(record.accessToken) } : record;
  const obstacles = { current, changedBy: await whoMade(db, now) };
  return new Refusal('changed-meanwhile', sentence, { obstacles });
}

/** Whose change made the very version that is there now; another may have been made past the desk. */
async function whoMade(db: Db, { record, version }: Known) {
  const query = db.selectFrom('journal').select(['staff_name', 'closed_at', 'version']);
  const latest = await query
    .where('subscriber_id', '=', record.id)
    .where('outcome', '=', 'done')
    .orderBy('closed_seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!latest || latest.version === null || latest.version !== version) return null;
  return { name: latest.staff_name, at: new Date(latest.closed_at ?? 0).toISOString() };
}
