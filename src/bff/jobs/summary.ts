import type { JobCounts, JobPreview } from '../../contract/bff/job.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { noCounts, type NewRow } from './store.ts';

/** Adds up what a person should know before the job starts. */
export function createSummary(now: number) {
  const counts: JobCounts = { ...noCounts };
  const statuses: Record<string, number> = {};
  const others = new Map<string, JobPreview['others'][number]>();
  const expiries = { earliest: Number.POSITIVE_INFINITY, latest: Number.NEGATIVE_INFINITY };
  let [stillExpired, withoutFormat] = [0, 0];
  return {
    counts,
    add({ result, why, after }: NewRow, record: SubscriberDetail | null) {
      counts[result] += 1;
      if (why !== null) {
        const key = `${result} ${why}`;
        others.set(key, { result, why, count: (others.get(key)?.count ?? 0) + 1 });
      }
      if (result !== 'change' || !record) return;
      const fields = after === null ? {} : (JSON.parse(after) as Partial<SubscriberDetail>);
      const next = { ...record, ...fields };
      statuses[record.status] = (statuses[record.status] ?? 0) + 1;
      if (!next.hls && !next.mpegTs) withoutFormat += 1;
      const expiry = Date.parse(next.expiresAt);
      if (expiry <= now) stillExpired += 1;
      if (fields.expiresAt === undefined) return;
      expiries.earliest = Math.min(expiries.earliest, expiry);
      expiries.latest = Math.max(expiries.latest, expiry);
    },
    preview(): JobPreview {
      return {
        earliest: instantOf(expiries.earliest),
        latest: instantOf(expiries.latest),
        statuses,
        stillExpired,
        withoutFormat,
        others: [...others.values()],
      };
    },
  };
}

const instantOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);
