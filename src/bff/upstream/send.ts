import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import { doneStatuses, readProblemCode } from './answer.ts';
import {
  reasonOf,
  within,
  type RequestName,
  type Send,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamLimits,
} from './exchange.ts';
import { badUpstream, failureFrom, GivenUp } from './failures.ts';

/** The statuses of a success, and the refusals of the contract. Others are logged. */
const usualStatuses = [...doneStatuses, 404, 412, 422];

/** Requests whose answer may be as large as the limit of a list. All others answer at most one record. */
const lists: readonly RequestName[] = ['listSubscribers', 'listBundles'];

/**
 * Makes `Send` from an exchange: with limits of time and size, errors as refusals, and failures in the log.
 *
 * @param deps.onCall called after each request has ended
 */
export function createSend(
  deps: Pick<BffDeps, 'upstream' | 'clock' | 'log'> & {
    limits: UpstreamLimits;
    onCall: (call: UpstreamCall) => void;
  },
): Send {
  const { upstream, clock, log, limits, onCall } = deps;
  return async (operation, call, signal) => {
    const fields = { operation, requestId: call.headers['X-Request-Id'] ?? null };
    const began = clock();
    const end = (outcome: string) => onCall({ ...fields, ms: clock() - began, outcome });
    try {
      const maxBytes = lists.includes(operation) ? limits.bytes : limits.recordBytes;
      const request = { ...call, operation, signal, maxBytes };
      const answer = await within(signal, upstream.exchange(request), failureFrom);
      // We asked for plain bytes, and the exchange has unpacked what it can.
      if (!isPlain(answer.headers)) throw badUpstream();
      const { status } = answer;
      if (!usualStatuses.includes(status)) {
        const code = readProblemCode(answer);
        log('warn', 'upstream-answered', { ...fields, status, ...(code !== null && { code }) });
      }
      end(`${Math.floor(status / 100)}xx`);
      return answer;
    } catch (error) {
      if (error instanceof GivenUp) end('given-up');
      else if (error instanceof Problem) {
        end(error.code);
        log('warn', 'upstream-failed', { ...fields, code: error.code, reason: reasonOf(error.cause) });
      }
      throw error;
    }
  };
}

function isPlain(headers: UpstreamAnswer['headers']): boolean {
  return ['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}
