import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import { api, type Api } from '../../src/contract/api.ts';
import { createClient, type Client } from '../../src/contract/client.ts';
import { codeOf, Problem } from '../../src/contract/problem.ts';
import { scopes as allScopes, TokenAnswer } from '../../src/contract/token.ts';
import type { Scope } from '../../src/contract/endpoint.ts';
import { setApiClient } from '../../src/service/api-clients.ts';
import { createDice } from '../../src/service/samples/dice.ts';
import { createService } from '../../src/service/service.ts';
import { serviceMigrations } from '../../src/service/store/migrations.ts';
import type { ServiceTables } from '../../src/service/store/schema.ts';
import { openTestDatabase } from '../setup/database.ts';
import { checkAnswers } from './check-answers.ts';

export const issuer = 'https://service.example';
export const credentials = { id: 'desk', secret: 'a long and random secret' };

export interface LogLine {
  level: string;
  event: string;
  facts: Readonly<Record<string, unknown>>;
}

interface Sending {
  /** JSON, unless it is a text already. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The Bearer token; one of both scopes unless given, none for null. */
  token?: string | null;
}

export interface TestService {
  db: Kysely<ServiceTables>;
  /** The service's clock, in ms since 1970, to be put forward by a test. */
  time: { now: number };
  log: LogLine[];
  fetch: (request: Request) => Promise<Response>;
  /** Typed calls with a token of both scopes. */
  client: Client<Api>;
  send: (method: string, path: string, sending?: Sending) => Promise<Response>;
  token: (...scopes: Scope[]) => Promise<string>;
}

/** A migrated database for the running test. */
export function openStore(): Promise<Kysely<ServiceTables>> {
  return openTestDatabase<ServiceTables>('service', serviceMigrations);
}

/** A service of its own for a test, at noon of the first of June 2026, with one API client that may do everything. */
export async function startService(
  given: { db?: Kysely<ServiceTables>; seed?: number } = {},
): Promise<TestService> {
  const db = given.db ?? (await openStore());
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes: allScopes });
  const time = { now: Date.parse('2026-06-01T12:00:00Z') };
  const log: LogLine[] = [];
  const service = createService({
    db,
    clock: () => time.now,
    random: createDice(given.seed ?? 1).bytes,
    issuer,
    log: (level, event, facts = {}) => log.push({ level, event, facts }),
  });
  const fetch = checkAnswers(service.fetch);
  const token = (...scopes: Scope[]) => fetchToken(fetch, scopes);
  const usual = await token(...allScopes);
  log.length = 0;
  return {
    db,
    time,
    log,
    fetch,
    token,
    client: createClient(api, { fetch, base: issuer, headers: { Authorization: `Bearer ${usual}` } }),
    send: (method, path, sending = {}) => fetch(buildRequest(method, path, { token: usual, ...sending })),
  };
}

async function fetchToken(fetch: TestService['fetch'], scopes: readonly Scope[]): Promise<string> {
  const response = await fetch(tokenRequest({ scope: scopes.join(' ') }));
  return TokenAnswer.parse(await response.json()).access_token;
}

/** A token request that is right but for the fields that are given; null leaves one out. */
export function tokenRequest(fields: Readonly<Record<string, string | null>>): Request {
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.id,
    client_secret: credentials.secret,
    scope: 'subscribers:read',
    ...fields,
  };
  const sent = Object.entries(form).filter((field): field is [string, string] => field[1] !== null);
  return new Request(`${issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams(sent) });
}

function buildRequest(method: string, path: string, { body, headers, token }: Sending): Request {
  return new Request(`${issuer}${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** The problem that an answer holds, as `status code`, and the fields that it names. */
export async function problemOf(
  response: Response,
): Promise<{ problem: string; fields: string[]; detail: string }> {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  const raw = (await response.json()) as { errors?: object };
  const problem = Problem.parse(raw);
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers.get('X-Request-Id'));
  return {
    problem: `${response.status} ${codeOf(problem)}`,
    // From the body as it came: zod leaves `__proto__` out of a record.
    fields: Object.keys(raw.errors ?? {}),
    detail: problem.detail,
  };
}
