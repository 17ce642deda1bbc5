import { may } from '../../contract/bff/permission.ts';
import { staffApi } from '../../contract/bff/staff-api.ts';
import { problemAnswer } from '../../contract/http/problem-answer.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { JournalTable } from './schema.ts';
import { placeOf } from '../middleware/errors.ts';
import { toBrowserResponse } from '../upstream/answer.ts';
import { answerNow, outcomeUnknown } from './answers.ts';
import { changedMeanwhile } from './conflict.ts';
import { closeEntry, type Closing } from './entries.ts';
import type { JournalParts, Trip } from './change-request.ts';
import { closingOf } from './closing.ts';
import { readRecord, type Known } from './record.ts';
import { sendOrder } from './send-change.ts';
import { settle } from './reconcile.ts';

/** Sends a change whose beginning is written, and writes how it ended before anybody is told. */
export async function finish(
  parts: JournalParts,
  trip: Trip,
  entry: JournalTable,
  before: Known | null,
): Promise<Response> {
  const { requestId } = trip.context;
  const sent = await sendOrder(parts, trip, entry);
  if (sent.kind === 'unknown') return findOut(parts, trip, entry, before, sent.refusal);
  if (sent.kind === 'failed') return notDone(parts, trip, entry, sent.refusal);
  const maskTokens = !may(trip.user.role, 'seeAccessToken');
  if (sent.kind === 'refused') {
    const refusal = await withObstacles(parts, trip, sent.refusal, maskTokens);
    const closing: Closing = { ...blank(entry), outcome: 'refused', code: refusal.code };
    return close(parts, trip, entry, closing, problemAnswer(refusal, requestId));
  }
  const closing = await closingOf(trip.order, before?.record ?? null, sent.answer);
  const answer = toBrowserResponse(staffApi[trip.order.operation], sent.answer, { maskTokens });
  if (closing.version !== null) answer.headers.set('ETag', closing.version);
  return close(parts, trip, entry, closing, answer);
}

/** No answer came that says what was done: the service is read, and what it says is answered. */
async function findOut(
  parts: JournalParts,
  trip: Trip,
  entry: JournalTable,
  before: Known | null,
  refusal: Refusal,
): Promise<Response> {
  const atMost = Math.max(leastToRead, trip.deadline - parts.clock());
  const settled = await settle(parts, entry, { atMost }).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  parts.log('warn', 'change-settled', {
    requestId: entry.request_id,
    entry: entry.id,
    outcome: settled?.closing.outcome ?? 'unknown',
  });
  // The entry stays open, and with it the lock: whoever meets it later looks again.
  if (!settled) throw outcomeUnknown();
  if (settled.closing.outcome === 'failed') return notDone(parts, trip, entry, refusal);
  if (settled.closing.outcome === 'unknown') {
    await close(parts, trip, entry, settled.closing, null);
    throw outcomeUnknown();
  }
  return close(parts, trip, entry, settled.closing, answerNow(trip.order.operation, settled.known ?? before));
}

/** In ms: even where the change itself took all the time there was. */
const leastToRead = 3_000;

async function notDone(
  parts: JournalParts,
  trip: Trip,
  entry: JournalTable,
  refusal: Refusal,
): Promise<never> {
  await close(parts, trip, entry, { ...blank(entry), outcome: 'failed', code: refusal.code }, null);
  const sentence = 'This was not done. Wait a minute and try again.';
  throw new Refusal(refusal.code, sentence, refusal.particulars);
}

/** What the service refuses, with what stands in the way where somebody else came first. */
async function withObstacles(
  { db, caller }: JournalParts,
  { order, context, user }: Trip,
  refusal: Refusal,
  maskTokens: boolean,
): Promise<Refusal> {
  if (refusal.code !== 'changed-meanwhile' || !('params' in order.input)) return refusal;
  const reading = { role: user.role, requestId: context.requestId, traceContext: context.traceContext };
  const now = await readRecord(caller, order.input.params.id, reading).catch(() => null);
  return changedMeanwhile(db, now && 'record' in now ? now : null, maskTokens);
}

const blank = (entry: JournalTable): Omit<Closing, 'outcome'> => ({
  code: null,
  subscriberId: entry.subscriber_id,
  after: null,
  version: null,
});

/** How often writing an outcome is tried: where another process writes at this moment, and where it fails. */
const mostTries = { busy: 20, other: 3 } as const;

/**
 * Writes the outcome, and answers. Writing it twice does no harm. Where it cannot be written the entry stays open and
 * is settled later; until then nothing that the desk says could be relied on.
 */
async function close(
  { db, mac, clock, wait, log }: JournalParts,
  { once }: Trip,
  entry: JournalTable,
  closing: Closing,
  answer: Response | null,
): Promise<Response> {
  const sealed = once && answer && (await once.seal(answer));
  for (let tries = 1; ; tries += 1) {
    try {
      await closeEntry(db, mac, entry.id, { closing, now: clock(), sealed });
      return answer ?? Response.error();
    } catch (error) {
      const isBusy = error instanceof Refusal && error.code === 'busy';
      if (tries >= (isBusy ? mostTries.busy : mostTries.other)) {
        log('error', 'change-not-closed', { entry: entry.id, ...placeOf(error) });
        throw outcomeUnknown();
      }
    }
    await wait(50);
  }
}
