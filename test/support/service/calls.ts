import { expect } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import type { Endpoint } from '../../../src/contract/http/endpoint.ts';
import { scopes as allScopes, TokenAnswer, type Scope } from '../../../src/contract/service/token.ts';

type Fetch = (request: Request) => Promise<Response>;

/** A service, wherever it is, and a client of it that has both scopes. */
export interface Subject {
  base: string;
  credentials: { id: string; secret: string };
  fetch: Fetch;
  /** True if rows with a version have an `ETag` of the form `"id-version"`; true unless given. */
  versions?: boolean;
}

interface Sending {
  /** JSON, unless it is a text already. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The Bearer token; one of both scopes unless given, none for null. */
  token?: string | null;
}

export type Calls = Awaited<ReturnType<typeof createCalls>>;

/** The subject as tests call it: each 200 of an operation is checked against the contract. */
export async function createCalls({ base, credentials, fetch: unchecked, versions }: Subject) {
  const fetch = checkAnswers(unchecked, base, versions);
  /** A new token. */
  const token = async (...scopes: Scope[]) => {
    const response = await fetch(tokenRequest({ base, credentials }, { scope: scopes.join(' ') }));
    return TokenAnswer.parse(await response.json()).access_token;
  };
  const usual = await token(...allScopes);
  /** `fetch` with a token of both scopes. */
  const fetchWithToken: Fetch = (request) => {
    request.headers.set('Authorization', `Bearer ${usual}`);
    return fetch(request);
  };
  return {
    base,
    credentials,
    fetch,
    fetchWithToken,
    token,
    /** Typed calls with a token of both scopes. */
    client: createClient(api, { fetch: fetchWithToken, base }),
    send: (method: string, path: string, sending: Sending = {}) =>
      fetch(buildRequest(`${base}${path}`, method, { token: usual, ...sending })),
  };
}

/** Checks each 200 of an operation against the contract: its fields, their order, and that there is no other. */
function checkAnswers(fetch: Fetch, base: string, versions = true): Fetch {
  return async (request) => {
    const response = await fetch(request);
    const row = rowOf(request, base);
    if (!row || response.status !== 200 || request.method === 'HEAD') return response;
    const body: unknown = await response.clone().json();
    expect(JSON.stringify(row.answer.parse(body)), row.path).toBe(JSON.stringify(body));
    if (row.versioned && versions) expect(response.headers.get('ETag'), row.path).toMatch(/^"\d+-\d+"$/);
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

function buildRequest(url: string, method: string, { body, headers, token }: Sending): Request {
  return new Request(url, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** A token request that is right but for the fields that are given; null leaves one out. */
export function tokenRequest(
  { base, credentials }: Pick<Subject, 'base' | 'credentials'>,
  fields: Readonly<Record<string, string | null>>,
): Request {
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.id,
    client_secret: credentials.secret,
    scope: 'subscribers:read',
    ...fields,
  };
  const sent = Object.entries(form).filter((field): field is [string, string] => field[1] !== null);
  return new Request(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(sent) });
}
