import { expect } from 'vitest';
import { codeOf } from '../../../src/contract/http/answer.ts';
import { ProblemBody } from '../../../src/contract/http/problem.ts';

/** The problem that an answer holds, as `status code`, and the fields that it names. */
export async function problemOf(
  response: Response,
): Promise<{ problem: string; fields: string[]; detail: string }> {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  const raw = (await response.json()) as { errors?: object };
  const problem = ProblemBody.parse(raw);
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers.get('X-Request-Id'));
  return {
    problem: `${response.status} ${codeOf(problem)}`,
    // From the body as it came: zod leaves `__proto__` out of a record.
    fields: Object.keys(raw.errors ?? {}),
    detail: problem.detail,
  };
}

/** The same in one line, such as `422 invalid-input: Page, SortBy`. */
export async function problemLine(response: Response): Promise<string> {
  const { problem, fields } = await problemOf(response);
  return fields.length > 0 ? `${problem}: ${fields.toSorted().join(', ')}` : problem;
}
