import { problemAnswer } from '../../contract/http/problem-answer.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { Log } from '../../contract/http/log.ts';
import type { RequestContext } from '../request-context.ts';

/** An error as an answer: a refusal says its own words; anything else is ours, and the log has the place. */
export function answerError(error: unknown, context: RequestContext, log: Log): Response {
  const { requestId, trace } = context;
  if (error instanceof Refusal) return problemAnswer(error, requestId);
  log('error', 'request-failed', { requestId, route: trace.route, ...placeOf(error) });
  return problemAnswer(
    new Refusal('internal-error', 'Try again. If it goes wrong again, tell an administrator the request id.'),
    requestId,
  );
}

/** Where it happened, without the message: a driver or a parser may have quoted a person's data in it. */
export function placeOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    error: error.name,
    ...('code' in error && { code: error.code }),
    stack: frames.map((line) => line.trim()),
  };
}
