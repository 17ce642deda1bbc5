import type { StaffMember, StaffWithPassword } from '../../../src/contract/bff/staff.ts';
import { ask, cookieOf, credentialsOf } from './browser.ts';
import type { Desk } from './desk.ts';

export type Person = Awaited<ReturnType<typeof enter>>;

/** Somebody at a browser of their own, who has signed in; their cookie moves on as the desk says. */
export async function enter(desk: Desk, name: string, password = credentialsOf(name).password) {
  const answer = await desk.fetch(ask('POST', '/bff/session', { body: { name, password } }));
  if (answer.status !== 200) throw new Error(`Sign-in was answered with ${answer.status}.`);
  let cookie = cookieOf(answer);
  return {
    cookie: () => cookie,
    /** The same browser, with a cookie of before. */
    async with(old: string, method: string, path: string) {
      return desk.fetch(ask(method, path, { headers: { Cookie: old } }));
    },
    async ask(method: string, path: string, body?: unknown) {
      const response = await desk.fetch(ask(method, path, { body, headers: { Cookie: cookie } }));
      cookie = cookieOf(response) || cookie;
      return response;
    },
  };
}

/** Whether the session still lives. */
export const isIn = async (person: Person) => (await person.ask('GET', '/bff/session')).status === 200;

/** The status of an attempt to sign in. */
export async function statusOfSignIn(desk: Desk, name: string, password?: string): Promise<number> {
  const body = { ...credentialsOf(name), ...(password !== undefined && { password }) };
  return (await desk.fetch(ask('POST', '/bff/session', { body }))).status;
}

/** What a manager does to accounts, by name. */
export async function manage(desk: Desk) {
  const person = await enter(desk, 'manager');
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

/** Lets something happen once, just before the desk is through with a password. */
export function meanwhile(
  { passwords }: Desk,
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
