import { onTestFinished } from 'vitest';
import { api, type Api } from '../../../src/contract/service/api.ts';
import { createClient, type Client } from '../../../src/contract/http/client.ts';
import { scopes as allScopes, TokenAnswer, type Scope } from '../../../src/contract/service/token.ts';
import { checkAnswers } from '../../support/service/check-answers.ts';
import { anna, annaWhole } from '../../support/service/people.ts';

/** A service of the contract, wherever it is, and a client of it that may do everything. */
export interface Subject {
  base: string;
  credentials: { id: string; secret: string };
  /** What the names begin with that the suite makes: nobody else's do. */
  prefix: string;
  fetch: (request: Request) => Promise<Response>;
}

interface Sending {
  /** JSON, unless it is a text already. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The Bearer token; one of both scopes unless given, none for null. */
  token?: string | null;
}

/** The subject as a test uses it. What the test creates is deleted when it is over. */
export interface Caller {
  base: string;
  credentials: Subject['credentials'];
  fetch: Subject['fetch'];
  send: (method: string, path: string, sending?: Sending) => Promise<Response>;
  /** Typed calls with a token of both scopes. */
  client: Client<Api>;
  token: (...scopes: Scope[]) => Promise<string>;
  /** A username that nobody else has. */
  named: (name: string) => string;
  /** Bodies of a create: what is required and nothing else, and every field, none at its default. */
  anna: typeof anna;
  annaWhole: typeof annaWhole;
}

/** @returns what each test of a suite calls first */
export function createBegin(opened: Promise<Subject>): () => Promise<Caller> {
  const tokens = new Map<string, Promise<string>>();
  return async () => {
    const subject = await opened;
    const made: number[] = [];
    const fetch = rememberMade(checkAnswers(subject.fetch, subject.base), made);
    const token = (...scopes: Scope[]) => {
      const scope = scopes.join(' ');
      const known = tokens.get(scope) ?? fetchToken(subject, scope);
      tokens.set(scope, known);
      return known;
    };
    const usual = await token(...allScopes);
    const send: Caller['send'] = (method, path, sending = {}) =>
      fetch(buildRequest(subject.base, method, path, { token: usual, ...sending }));
    onTestFinished(async () => {
      for (const id of made) await send('DELETE', `/subscribers/${id}`);
    });
    const named = (name: string) => `${subject.prefix}${name}`;
    const headers = { Authorization: `Bearer ${usual}` };
    return {
      base: subject.base,
      credentials: subject.credentials,
      fetch,
      send,
      client: createClient(api, { fetch, base: subject.base, headers }),
      token,
      named,
      anna: { ...anna, username: named('Anna') },
      annaWhole: { ...annaWhole, username: named('Anna') },
    };
  };
}

function rememberMade(fetch: Subject['fetch'], made: number[]): Subject['fetch'] {
  return async (request) => {
    const response = await fetch(request);
    if (request.method !== 'POST' || response.status !== 200 || !request.url.endsWith('/subscribers'))
      return response;
    made.push(((await response.clone().json()) as { id: number }).id);
    return response;
  };
}

async function fetchToken(subject: Subject, scope: string): Promise<string> {
  const response = await subject.fetch(tokenRequest(subject, { scope }));
  return TokenAnswer.parse(await response.json()).access_token;
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

export function buildRequest(
  base: string,
  method: string,
  path: string,
  { body, headers, token }: Sending,
): Request {
  return new Request(`${base}${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}
