import type { BffDeps } from '../deps.ts';
import type { UpstreamCall } from '../upstream/send.ts';
import type { Trace, RequestContext } from '../request-context.ts';

export interface RequestLines {
  /** Answers a visit and writes its one line. */
  around(context: RequestContext, answer: () => Promise<Response>): Promise<Response>;
  /** Adds a call to the line of the visit that it was for. */
  upstreamCalled: (call: UpstreamCall) => void;
}

/** One line in the log for each request: what it was by the tables' names, and never its address. */
export function createRequestLines({ clock, log }: Pick<BffDeps, 'clock' | 'log'>): RequestLines {
  const open = new Map<string, Trace>();
  return {
    async around({ request, requestId, trace }, answer) {
      const started = clock();
      open.set(requestId, trace);
      try {
        const response = await answer();
        const { status } = response;
        const ms = clock() - started;
        log('info', 'request', { method: request.method, ...trace, status, ms, requestId });
        return response;
      } finally {
        open.delete(requestId);
      }
    },
    upstreamCalled({ requestId, ms }) {
      const trace = open.get(requestId ?? '');
      if (!trace) return;
      trace.upstreamCalls = (trace.upstreamCalls ?? 0) + 1;
      trace.upstreamMs = (trace.upstreamMs ?? 0) + ms;
    },
  };
}
