import { Problem } from '../../contract/http/problem.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { readJson } from './read-json.ts';

/** What an answer says is wrong, where it says so as the contract does. */
export function readProblem(answer: UpstreamAnswer): Problem | null {
  const json = readJson(answer);
  return json.ok ? (Problem.safeParse(json.value).data ?? null) : null;
}
