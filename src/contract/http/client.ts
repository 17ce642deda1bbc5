import {
  entryHeader,
  writeCall,
  type AnyCall,
  type CallOf,
  type ClientRow,
  type EndpointTable,
  type OutputOf,
  typePrefix,
} from './endpoint.ts';
import type { FieldErrors, Obstacles, ProblemBody } from './problem.ts';
import type { ProblemCode } from './problem-codes.ts';

/** Why a call failed. `unreachable`: no answer came; `unreadable`: the answer is not of the contract's shape. */
export type ApiErrorCode = ProblemCode | 'unreachable' | 'unreadable' | 'other';

/** The only error that a client throws, except the `AbortError` of a caller's own signal. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** The HTTP status; 0 if no answer came. */
  readonly status: number;
  readonly requestId: string | null;
  readonly fields: FieldErrors;
  /** Obstacles to the change, if the answer names any. */
  readonly obstacles: Obstacles;
  /** Seconds, from `Retry-After`. */
  readonly retryAfter: number | null;

  constructor(
    code: ApiErrorCode,
    message: string,
    from: { response?: Response; problem?: ProblemBody; cause?: unknown } = {},
  ) {
    super(message, { cause: from.cause });
    this.code = code;
    this.status = from.response?.status ?? 0;
    this.requestId = from.problem?.requestId ?? from.response?.headers.get('X-Request-Id') ?? null;
    this.fields = from.problem?.errors ?? {};
    const { current, changedBy, conflicts } = from.problem ?? {};
    this.obstacles = {
      ...(current && { current }),
      ...(changedBy !== undefined && { changedBy }),
      ...(conflicts && { conflicts }),
    };
    const seconds = Number(from.response?.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : null;
  }
}

interface CallOptions {
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** The parsed body of an answer, its `ETag` if it has one, and of a change the id of its entry in the journal. */
export interface Reply<T> {
  data: T;
  etag: string | null;
  entry?: string;
}

export type Client<T extends EndpointTable> = {
  readonly [N in keyof T]: (input: CallOf<T[N]>, options?: CallOptions) => Promise<Reply<OutputOf<T[N]>>>;
};

/**
 * Creates a typed client for an endpoint table. It parses each answer by the table, if the table has schemas.
 *
 * @param base what the table's paths are appended to, such as `/api` or `https://example.com/v1`
 * @throws {ApiError} from each call that gets no answer, an error, or an answer of another shape
 */
export function createClient<const T extends EndpointTable>(
  table: T | Readonly<Record<keyof T, ClientRow>>,
  options: {
    fetch: (request: Request) => Promise<Response>;
    base: string;
    headers?: Readonly<Record<string, string>>;
    /** Wraps each call, and may delay or repeat it. */
    around?: (<R>(call: () => Promise<R>) => Promise<R>) | undefined;
  },
): Client<T> {
  const calls = Object.entries<ClientRow>(table).map(([name, endpoint]) => {
    const callOnce = async (input: AnyCall, own: CallOptions) => {
      const headers = { ...options.headers, ...own.headers };
      const { url, ...written } = writeCall(endpoint, input, options.base, headers);
      const request = new Request(url, { ...written, signal: own.signal ?? null });
      return readReply(endpoint, await send(options.fetch, request), request.signal);
    };
    const call = (input: AnyCall, own: CallOptions = {}) =>
      options.around ? options.around(() => callOnce(input, own)) : callOnce(input, own);
    return [name, call];
  });
  return Object.fromEntries(calls) as Client<T>;
}

async function send(fetch: (request: Request) => Promise<Response>, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    throw new ApiError(
      'unreachable',
      'No answer from Subscriber Desk. Check your connection and try again.',
      { cause },
    );
  }
}

async function readReply(
  { answer, streamed }: ClientRow,
  response: Response,
  signal: AbortSignal,
): Promise<Reply<unknown>> {
  if (!response.ok) throw await readError(response, signal);
  if (streamed) return { data: response, etag: null };
  const body = response.status === 204 ? undefined : await readJson(response, signal);
  const parsed = answer ? answer.safeParse(body) : { success: isFromBff(response, body), data: body };
  if (!parsed.success) throw new ApiError('unreadable', unexpectedAnswer, { response });
  const entry = response.headers.get(entryHeader);
  return {
    data: parsed.data,
    etag: response.headers.get('ETag'),
    ...(entry !== null && { entry }),
  };
}

/** False for what another server answers in its place, such as a proxy or a network that wants its users to sign in. */
const isFromBff = (response: Response, body: unknown): boolean =>
  typeof body === 'object' && body !== null && response.headers.has('X-Request-Id');

const unexpectedAnswer =
  'Unexpected answer from the subscriber service. Try again. If it happens again, tell an administrator.';

async function readError(response: Response, signal: AbortSignal): Promise<ApiError> {
  const problem = await readJson(response, signal);
  if (!isProblem(problem))
    return new ApiError('other', `Unexpected error (HTTP ${response.status}). Try again in a minute.`, {
      response,
    });
  const { type } = problem;
  // A server that was updated first may have codes that nothing here compares with.
  const code = type.startsWith(typePrefix) ? (type.slice(typePrefix.length) as ProblemCode) : 'other';
  return new ApiError(code, problem.detail, { response, problem });
}

/** Our servers, which have a `requestId`, write the other fields by `ProblemBody`. */
function isProblem(body: unknown): body is ProblemBody {
  const { type, status, detail, requestId } = Object(body) as Partial<Record<keyof ProblemBody, unknown>>;
  return [type, detail, requestId].every((text) => typeof text === 'string') && typeof status === 'number';
}

/** The body, or null if it is not JSON or was cut off. A caller's own abort is thrown on. */
async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    if (signal.aborted) throw cause;
    return null;
  }
}
