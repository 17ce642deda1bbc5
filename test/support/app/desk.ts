import { vi } from 'vitest';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { createTestDesk, type TestDesk, type TestDeskOptions, type TestTime } from '../desk.ts';
import { connect } from './network.ts';

export interface DeskOptions extends TestDeskOptions {
  /** Kari's, who is signed in; a manager's unless given. With `staff`, they have to sign in, and Kari is none of them. */
  role?: Role;
}

/** The page's own, which stands still in these tests. */
const pageTime: TestTime = {
  get now() {
    return Date.now();
  },
  set now(moment) {
    vi.setSystemTime(moment);
  },
};

/** A `createTestDesk` that answers the page's requests. */
export async function openDesk({ role = 'manager', ...options }: DeskOptions = {}) {
  const transport = options.staff
    ? ({ kind: 'http', publicUrl: location.origin } as const)
    : ({ kind: 'tab', staff: { name: 'Kari', role } } as const);
  const desk = await createTestDesk({ time: pageTime, transport, ...options });
  // What starts before the page asks ends after its last request.
  await desk.serviceDb();
  return {
    ...desk,
    ...connect(options.staff ? createBrowser(desk.fetch) : desk.fetch),
  };
}

/** No operation sets a status; a deployment does. */
export async function suspend({ serviceDb }: Pick<TestDesk, 'serviceDb'>, username: string): Promise<void> {
  const change = (await serviceDb()).updateTable('subscribers').set({ status_id: 2 });
  await change.where('username', '=', username).executeTakeFirstOrThrow();
}

/**
 * A browser between a page and its host, as far as signing in needs one: it keeps cookies that no script sees, and
 * adds what it says of a request on its own.
 */
function createBrowser(host: TestDesk['fetch']): (request: Request) => Promise<Response> {
  const cookies = new Map<string, string>();
  return async (request) => {
    const sent = new Request(request);
    sent.headers.set('Host', location.host);
    sent.headers.set('Sec-Fetch-Site', 'same-origin');
    if (request.method !== 'GET') sent.headers.set('Origin', location.origin);
    if (cookies.size > 0) sent.headers.set('Cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const answer = await host(sent, { address: '127.0.0.1' });
    for (const cookie of answer.headers.getSetCookie()) keep(cookies, cookie);
    const headers = new Headers(answer.headers);
    headers.delete('Set-Cookie');
    return new Response(answer.body, { status: answer.status, headers });
  };
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split('=');
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, value);
}
