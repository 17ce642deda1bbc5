import type { Log } from '../../contract/http/log.ts';
import { createSecurityHeaders } from '../../bff/middleware/security-headers.ts';
import { problemAnswer } from '../../contract/http/problem-answer.ts';
import { type Refusal } from '../../contract/http/refusal.ts';

/** Answers and logs what never came to a route, in the way of those that do. */
export type Refuse = (refusal: Refusal, facts?: Readonly<Record<string, unknown>>) => Response;

/** @param publicUrl the origin that browsers use, where it is known before the desk listens: https is insisted on */
export function createRefuse(log: Log, publicUrl: string | null): Refuse {
  const dress = createSecurityHeaders(publicUrl === null ? {} : { publicUrl });
  return (refusal, facts = {}) => {
    const requestId = crypto.randomUUID();
    const response = dress.data(problemAnswer(refusal, requestId), { requestId });
    log('info', 'request', { route: 'none', status: response.status, ...facts, requestId });
    return response;
  };
}
