import { expect } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import type { Endpoint } from '../../../src/contract/http/endpoint.ts';

type Fetch = (request: Request) => Promise<Response>;

/** The service, but each 200 of an operation is checked against the contract: its fields, their order, and no other. */
export function checkAnswers(fetch: Fetch, base: string): Fetch {
  return async (request) => {
    const response = await fetch(request);
    const row = rowOf(request, base);
    if (!row || response.status !== 200 || request.method === 'HEAD') return response;
    const body: unknown = await response.clone().json();
    expect(JSON.stringify(row.answer.parse(body)), row.path).toBe(JSON.stringify(body));
    if (row.versioned) expect(response.headers.get('ETag'), row.path).toMatch(/^"\d+-\d+"$/);
    return response;
  };
}

function rowOf(request: Request, base: string): Endpoint | undefined {
  const path = request.url.slice(base.length).replace(/\?.*$/s, '');
  return Object.values<Endpoint>(api).find(
    ({ method, path: template }) =>
      method === request.method && new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}
