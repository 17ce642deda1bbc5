import type { BffDeps } from '../deps.ts';
import type { HttpContext, LogFields } from './context.ts';

export interface RequestLog {
  /** Answers a request and writes its one line. */
  around<T extends { status: number }>(context: HttpContext, answer: () => Promise<T>): Promise<T>;
  /** Adds a call upstream to the line of the request that it was for. */
  upstreamCalled: (call: { requestId: string | null; ms: number }) => void;
}

/** Writes one line of the log for each request. It has the names of the tables, never the request's address. */
export function createRequestLog({ clock, log }: Pick<BffDeps, 'clock' | 'log'>): RequestLog {
  const open = new Map<string, LogFields>();
  return {
    async around({ request, requestId, logFields }, answer) {
      const started = clock();
      open.set(requestId, logFields);
      try {
        const response = await answer();
        const { status } = response;
        const ms = clock() - started;
        log(status < 500 || logFields.clientGone ? 'info' : 'warn', 'request', {
          method: request.method,
          ...logFields,
          status,
          ms,
          requestId,
        });
        return response;
      } finally {
        open.delete(requestId);
      }
    },
    upstreamCalled({ requestId, ms }) {
      const fields = open.get(requestId ?? '');
      if (!fields) return;
      fields.upstreamCalls = (fields.upstreamCalls ?? 0) + 1;
      fields.upstreamMs = (fields.upstreamMs ?? 0) + ms;
    },
  };
}
