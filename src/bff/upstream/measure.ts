import type { OperationName } from '../../contract/service/api.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import type { Send } from './send.ts';

/** One request that went out to the service, an attempt or a token call, and what became of it. */
export interface UpstreamCall {
  readonly operation: OperationName;
  /** Whose visit it was for; null for a token, which many may wait for. */
  readonly requestId: string | null;
  readonly ms: number;
  /** A class of statuses such as `2xx`, or the code of the refusal where no usable answer came. */
  readonly outcome: string;
}

/** Tells of every call that goes out, when it is over. */
export function measureCalls(send: Send, clock: BffDeps['clock'], tell: (call: UpstreamCall) => void): Send {
  return async (operation, call, signal) => {
    const started = clock();
    const end = (outcome: string) =>
      tell({ operation, requestId: call.headers['X-Request-Id'] ?? null, ms: clock() - started, outcome });
    try {
      const answer = await send(operation, call, signal);
      end(`${Math.floor(answer.status / 100)}xx`);
      return answer;
    } catch (error) {
      end(error instanceof Refusal ? error.code : 'internal-error');
      throw error;
    }
  };
}
