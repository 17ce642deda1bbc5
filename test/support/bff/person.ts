import { apiBase } from '../../../src/contract/bff/paths.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import type { StaffMember, StaffWithPassword } from '../../../src/contract/bff/staff.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { api } from '../../../src/contract/service/api.ts';
import type { TestDesk } from '../desk.ts';
import {
  ask,
  credentialsOf,
  ownPage,
  password as ownPassword,
  publicUrl,
  type HeaderChanges,
} from './browser.ts';

export type Person = ReturnType<typeof createPerson>;

/**
 * A user with a browser of their own, which keeps the session's cookie and sends it.
 *
 * @param session the cookie of a session that has begun elsewhere
 */
export function createPerson(bff: (request: Request) => Promise<Response>, base: string, session = '') {
  let cookie = session;
  const fetch = async (request: Request) => {
    if (cookie !== '') request.headers.set('Cookie', cookie);
    const response = await bff(request);
    cookie = sessionCookieOf(response) ?? cookie;
    return response;
  };
  return {
    /** The session's, as `name=value`. */
    cookie: () => cookie,
    /** Sends any request. */
    fetch,
    /** Sends a request of our own page. */
    ask: (method: string, path: string, body?: unknown, headers: HeaderChanges = {}) =>
      fetch(ask(method, path, { body, headers, base })),
    /** Typed calls of the service's operations, and of the BFF's own. */
    api: createClient(api, { fetch, base: base + apiBase, headers: ownPage }),
    bff: createClient(bffApi, { fetch, base, headers: ownPage }),
  };
}

/** `name=value` of the session's cookie, if an answer sets it. */
function sessionCookieOf(response: Response): string | undefined {
  const pairs = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return pairs.find((pair) => pair !== undefined && /^(__Host-Http-)?desk=/.test(pair));
}

/** True if the session still lives. */
export const isIn = async (person: Pick<Person, 'ask'>) =>
  (await person.ask('GET', '/bff/session')).status === 200;

/** A sign-in with the right password, unless a test says otherwise, and what comes with it. */
export function trySignIn({ fetch }: Pick<TestDesk, 'fetch'>, name: string, tried: Tried = {}) {
  const { headers = {}, base = publicUrl, address = 'unknown', signal, ...body } = tried;
  const request = ask('POST', '/bff/session', { body: { ...credentialsOf(name), ...body }, headers, base });
  return fetch(request, { address, ...(signal && { signal }) });
}

export interface Tried {
  password?: string;
  code?: string | undefined;
  passkey?: unknown;
  headers?: HeaderChanges;
  base?: string;
  /** The client's IP address. */
  address?: string;
  signal?: () => AbortSignal;
}

/** The status of a sign-in. */
export async function statusOfSignIn(bff: Pick<TestDesk, 'fetch'>, name: string, password = ownPassword) {
  return (await trySignIn(bff, name, { password })).status;
}

/** Changes of accounts by a manager, by name. */
export async function manage(bff: Pick<TestDesk, 'signIn'>) {
  const person = await bff.signIn('manager');
  const read = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json();
  const list = () => read<StaffMember[]>(person.ask('GET', '/bff/staff'));
  const path = async (name: string, rest = '') => {
    const found = (await list()).find((member) => member.name === name);
    return `/bff/staff/${found?.id ?? 'nobody'}${rest}`;
  };
  return {
    ...person,
    list,
    find: async (name: string) => (await list()).find((member) => member.name === name),
    add: (name: string, role: string) =>
      read<StaffWithPassword>(person.ask('POST', '/bff/staff', { name, role })),
    change: async (name: string, change: object) => person.ask('PUT', await path(name), change),
    endSessions: async (name: string) => person.ask('DELETE', await path(name, '/sessions')),
    resetSecondFactor: async (name: string) => person.ask('DELETE', await path(name, '/second-factor')),
    reset: async (name: string) => person.ask('POST', await path(name, '/one-time-password')),
  };
}

/** Does something once, just before a password is hashed or verified. */
export function meanwhile(
  { passwords }: Pick<TestDesk, 'passwords'>,
  work: 'hash' | 'verify',
  happen: () => Promise<unknown>,
): void {
  const [hash, verify] = [passwords.hash.bind(passwords), passwords.verify.bind(passwords)];
  const once = async () => {
    Object.assign(passwords, { hash, verify });
    await happen();
  };
  if (work === 'hash') passwords.hash = (text) => once().then(() => hash(text));
  else passwords.verify = (text, known) => once().then(() => verify(text, known));
}
