import type { Reply } from '../../../src/contract/http/client.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
import { RefusedByService } from '../../../src/bff/upstream/failures.ts';
import type { Upstream } from '../../../src/bff/deps.ts';
import type { CallContext } from '../../../src/bff/upstream/call.ts';
import { createCaller } from '../../../src/bff/upstream/caller.ts';
import { tokenAnswer } from './canned.ts';
import { asUpstream } from './upstream.ts';

export const context: CallContext = { role: 'viewer', requestId: 'r' };
const emptyPage = { items: [], page: 1, pageSize: 25, totalCount: 0, totalPages: 0 };
export const json = (value: unknown = emptyPage) => Response.json(value);

/**
 * Calls to a service whose answers a test decides, with a clock and randomness that the test sets. Waiting moves the
 * clock.
 */
export function openCaller(
  answer: (request: Request, count: number) => Response | Promise<Response>,
  token: (count: number) => Response | Promise<Response> = tokenAnswer,
  connection: Partial<Upstream> = {},
) {
  const time = { now: Date.parse('2026-01-01T00:00:00Z') };
  const chance = { of: 0 };
  const [sent, tokens, pauses, logs]: [Request[], Request[], number[], unknown[]] = [[], [], [], []];
  const fetch = async (request: Request) => {
    if (!request.url.endsWith('/oauth/token')) return answer(request, sent.push(request));
    return token(tokens.push(request));
  };
  const caller = createCaller({
    journalKey: 'A'.repeat(43),
    upstream: { ...asUpstream(fetch), ...connection },
    clock: () => time.now,
    random: (bytes) => new Uint8Array(bytes).fill(Math.floor(chance.of * 256)),
    log: (level, event, details) => void logs.push({ level, event, ...details }),
    wait: async (ms) => {
      pauses.push(ms);
      time.now += ms;
    },
  });
  const list = (Page = 1, from: Partial<CallContext> = {}) =>
    caller.call('listSubscribers', { query: { Page } }, { ...context, ...from });
  return { caller, time, chance, sent, tokens, pauses, logs, list };
}

/** The outcome of a call: the status of the answer, or the code and `Retry-After` of the refusal. */
export async function outcomeOf(call: Promise<Reply<unknown>>): Promise<unknown> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (!(outcome instanceof Problem)) return 200;
  if (outcome instanceof RefusedByService) return outcome.status;
  return [outcome.code, outcome.particulars.headers?.['Retry-After'] ?? null];
}
