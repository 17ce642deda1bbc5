import type { StaffMember, StaffWithPassword } from '../../../src/contract/bff/staff.ts';
import { ask, cookieOf, credentialsOf } from './browser.ts';
import type { TestBff } from './bff.ts';

export type Person = Awaited<ReturnType<typeof enter>>;

/** A user who has signed in with their own browser, which keeps the cookies that it gets. */
export async function enter(bff: TestBff, name: string, password = credentialsOf(name).password) {
  const answer = await bff.fetch(ask('POST', '/bff/session', { body: { name, password } }));
  if (answer.status !== 200) throw new Error(`Sign-in was answered with ${answer.status}.`);
  let cookie = cookieOf(answer);
  return {
    cookie: () => cookie,
    /** The same browser, with a cookie of before. */
    async with(old: string, method: string, path: string) {
      return bff.fetch(ask(method, path, { headers: { Cookie: old } }));
    },
    async ask(method: string, path: string, body?: unknown) {
      const response = await bff.fetch(ask(method, path, { body, headers: { Cookie: cookie } }));
      cookie = cookieOf(response) || cookie;
      return response;
    },
  };
}

/** Whether the session still lives. */
export const isIn = async (person: Person) => (await person.ask('GET', '/bff/session')).status === 200;

/** The status of a sign-in. */
export async function statusOfSignIn(bff: TestBff, name: string, password?: string): Promise<number> {
  const body = { ...credentialsOf(name), ...(password !== undefined && { password }) };
  return (await bff.fetch(ask('POST', '/bff/session', { body }))).status;
}

/** What a manager does to accounts, by name. */
export async function manage(bff: TestBff) {
  const person = await enter(bff, 'manager');
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
    reset: async (name: string) => person.ask('POST', await path(name, '/one-time-password')),
  };
}

/** Does something once, just before a password is hashed or verified. */
export function meanwhile(
  { passwords }: TestBff,
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
