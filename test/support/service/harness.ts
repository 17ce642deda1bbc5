import type { Kysely } from 'kysely';
import { api, type Api } from '../../../src/contract/service/api.ts';
import { createClient, type Client } from '../../../src/contract/http/client.ts';
import { scopes as allScopes, TokenAnswer, type Scope } from '../../../src/contract/service/token.ts';
import { setApiClient } from '../../../src/service/oauth/api-clients.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { createService } from '../../../src/service/service.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceDeps } from '../../../src/service/deps.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openTestDatabase } from '../setup/database.ts';
import { checkAnswers } from './check-answers.ts';
import { buildRequest, tokenRequest as requestOf, type Caller } from '../../service/conformance/subject.ts';

export const issuer = 'https://service.example';
export const credentials = { id: 'desk', secret: 'canary-client-secret' };

export interface LogLine {
  level: string;
  event: string;
  facts: Readonly<Record<string, unknown>>;
}

export interface TestService {
  db: Kysely<ServiceTables>;
  /** The service's clock, in ms since 1970, to be put forward by a test. */
  time: { now: number };
  log: LogLine[];
  fetch: (request: Request) => Promise<Response>;
  /** The same with a token of both scopes. */
  fetchWithToken: (request: Request) => Promise<Response>;
  /** Typed calls with a token of both scopes. */
  client: Client<Api>;
  send: Caller['send'];
  token: (...scopes: Scope[]) => Promise<string>;
}

/** A migrated database for the running test. */
export function openStore(): Promise<Kysely<ServiceTables>> {
  return openTestDatabase<ServiceTables>('service', serviceMigrations);
}

/**
 * The service alone, for tests of it and behind every `createTestDesk`: with one API client that may do everything, at noon
 * of the first of June 2026 unless there is a `time`.
 */
export async function startService(
  given: {
    db?: Kysely<ServiceTables>;
    runSlowRead?: ServiceDeps['runSlowRead'];
    seed?: number;
    time?: TestService['time'];
  } = {},
): Promise<TestService> {
  const db = given.db ?? (await openStore());
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes: allScopes });
  const { time = { now: Date.parse('2026-06-01T12:00:00Z') } } = given;
  const log: LogLine[] = [];
  const service = createService({
    db,
    ...(given.runSlowRead && { runSlowRead: given.runSlowRead }),
    clock: () => time.now,
    random: createDice(given.seed ?? 1).bytes,
    issuer,
    log: (level, event, facts = {}) => log.push({ level, event, facts }),
  });
  const fetch = checkAnswers(service.fetch, issuer);
  const token = (...scopes: Scope[]) => fetchToken(fetch, scopes);
  const usual = await token(...allScopes);
  const fetchWithToken = (request: Request) => {
    request.headers.set('Authorization', `Bearer ${usual}`);
    return fetch(request);
  };
  log.length = 0;
  return {
    db,
    time,
    log,
    fetch,
    fetchWithToken,
    token,
    client: createClient(api, { fetch: fetchWithToken, base: issuer }),
    send: (method, path, sending = {}) =>
      fetch(buildRequest(issuer, method, path, { token: usual, ...sending })),
  };
}

async function fetchToken(fetch: TestService['fetch'], scopes: readonly Scope[]): Promise<string> {
  const response = await fetch(tokenRequest({ scope: scopes.join(' ') }));
  return TokenAnswer.parse(await response.json()).access_token;
}

/** A token request that is right but for the fields that are given; null leaves one out. */
export function tokenRequest(fields: Readonly<Record<string, string | null>>): Request {
  return requestOf({ base: issuer, credentials }, fields);
}
