import type { Endpoint } from '../../contract/endpoint.ts';
import { maskedToken } from '../../contract/masked-token.ts';
import { Problem, Refusal } from '../../contract/problem.ts';
import { badUpstream, failureOf } from './failures.ts';
import { readJson } from './read-json.ts';
import type { UpstreamAnswer } from './send.ts';

/**
 * The service's answer as the browser gets it: a 200 byte by byte once it is known to be JSON, or with its tokens
 * masked for those who may not see them whole, the contract's refusals with our request id, everything else in our own words.
 *
 * @throws {Refusal} for everything else
 */
export function carryBack(
  row: Endpoint,
  answer: UpstreamAnswer,
  { requestId, maskTokens }: { requestId: string; maskTokens: boolean },
): Response {
  if (answer.status === 200) {
    const json = readJson(answer);
    if (!json.ok) throw badUpstream();
    const etag = answer.headers.get('ETag');
    const headers = { 'Content-Type': 'application/json', ...(etag !== null && { ETag: etag }) };
    return new Response(maskTokens ? withMaskedTokens(json.value) : answer.bytes, { headers });
  }
  const problem = readProblem(answer);
  if (!problem) throw refusalFor(row, answer.status);
  return Response.json(
    { ...problem, status: answer.status, requestId },
    { status: answer.status, headers: { 'Content-Type': 'application/problem+json' } },
  );
}

/** The same with every access token masked, however deep it stands. */
function withMaskedTokens(value: unknown): string {
  try {
    return JSON.stringify(value, maskField);
  } catch {
    // Nested deeper than the stack is: no record of a subscriber.
    throw badUpstream();
  }
}

const maskField = (name: string, value: unknown) =>
  name === 'accessToken' && typeof value === 'string' ? maskedToken(value) : value;

/** A problem that is the caller's to mend, in the contract's shape; null for all others. */
function readProblem(answer: UpstreamAnswer): Problem | null {
  if (![404, 412, 422].includes(answer.status)) return null;
  const json = readJson(answer);
  return json.ok ? (Problem.safeParse(json.value).data ?? null) : null;
}

/** Another service may say the same without our problems. A 404 means a subscriber only where the path names one. */
function refusalFor(row: Endpoint, status: number): Refusal {
  if (status === 404 && row.params)
    return new Refusal('no-such-subscriber', 'It may have been deleted. Search for it again.');
  if (status === 412)
    return new Refusal('changed-meanwhile', 'Load it again and make your change once more.');
  if (status === 422)
    return new Refusal('invalid-input', 'The service refuses this input. Check it and send it again.');
  return failureOf(status);
}
