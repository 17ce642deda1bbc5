import { errorFields, type Log } from '../../lib/log.ts';
import { type ProblemBody, askForHelp, Problem } from './problem.ts';
import { typePrefix } from './endpoint.ts';
import { problemCodes, problems, type ProblemCode } from './problem-codes.ts';

/** The answer to a request, as values: it becomes a `Response` once, where the request came in. */
export class Answer<T = unknown> {
  readonly value: T;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A `Set-Cookie` each. */
  readonly cookies: readonly string[];
  /** The body where it is written already, or is no JSON; its type then is in `headers`. */
  readonly body: string | ReadableStream | undefined;

  /** @param init the status is 200 if not given, and 204 where there is no value and no body */
  constructor(value: T, init: AnswerInit = {}) {
    const { headers = {}, cookies = [], body } = init;
    this.value = value;
    this.status = init.status ?? (value === undefined && body === undefined ? 204 : 200);
    this.headers = headers;
    this.cookies = cookies;
    this.body = body;
  }
}

interface AnswerInit {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  cookies?: readonly string[];
  body?: string | ReadableStream | undefined;
}

const jsonType = { 'Content-Type': 'application/json' };

/**
 * Writes an answer.
 *
 * @param extra headers of every answer. They are one record with its own, because the listener writes a record as it is.
 */
export function toResponse(answer: Answer, extra: Readonly<Record<string, string>> = {}): Response {
  const { value, status, cookies } = answer;
  const text = answer.body ?? (value === undefined ? null : JSON.stringify(value));
  const headers = { ...(text !== null && jsonType), ...answer.headers, ...extra };
  if (cookies.length === 0) return new Response(text, { status, headers });
  const pairs = [...Object.entries(headers), ...cookies.map((cookie) => ['Set-Cookie', cookie])];
  return new Response(text, { status, headers: pairs as [string, string][] });
}

/** Adds headers to an answer that is written. Not by a copy: its body would be a stream, which costs more than all headers. */
export function withHeaders(response: Response, extra: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(extra)) response.headers.set(name, value);
  return response;
}

/** The stable code of a problem; null if another service made it. */
export function codeOf({ type }: ProblemBody): ProblemCode | null {
  return problemCodes.find((code) => type === `${typePrefix}${code}`) ?? null;
}

/** Answers a problem as `application/problem+json`. */
export function problemAnswer(problem: Problem, requestId: string): Answer<ProblemBody> {
  const { errors, headers, obstacles } = problem.particulars;
  const [status, title] = problems[problem.code];
  const type = `${typePrefix}${problem.code}`;
  const detail = problem.message;
  const body = { type, title, status, detail, requestId, ...(errors && { errors }), ...obstacles };
  return new Answer(body, {
    status,
    headers: { ...headers, 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId },
  });
}

/**
 * Answers any error: a problem with its own detail, anything else with a 500 whose cause is only in the log.
 *
 * @param method of the request; an unforeseen error leaves it open whether a change was made
 * @param fields logged with the error
 */
export function answerError(
  error: unknown,
  method: string,
  log: Log,
  fields: { readonly requestId: string; readonly route?: string },
): Answer<ProblemBody> {
  if (error instanceof Problem) {
    if (error.cause !== undefined) log('warn', error.code, { ...fields, ...errorFields(error.cause) });
    return problemAnswer(error, fields.requestId);
  }
  log('error', 'request-failed', { ...fields, ...errorFields(error) });
  const isRead = ['GET', 'HEAD'].includes(method);
  const next = isRead ? 'Try again.' : 'Check whether your change was made before you try again.';
  const detail = `Something went wrong on the server. ${next} ${askForHelp}`;
  return problemAnswer(new Problem('internal-error', detail), fields.requestId);
}
