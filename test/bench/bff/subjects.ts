import { apiBase, csrfHeader } from '../../../src/contract/bff/paths.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { startChild, type Child } from '../child.ts';

/** One of those that are measured side by side. */
export interface Subject {
  name: string;
  /** Where its list of subscribers is. */
  url: string;
  child: Child;
}

export const names = {
  bare: 'the service itself',
  fastify: '@fastify/http-proxy',
  middleware: 'http-proxy-middleware',
  least: 'the least that checks',
  bff: 'Subscriber Desk',
} as const;

/** Makes an answer of 12 KB. */
const pageSize = 42;

const password = 'a password of the bench alone';

/** Starts the service and the proxies in front of it, each as its own process. @returns them, and the headers of a signed-in browser */
export async function startSubjects(): Promise<{ subjects: Subject[]; headers: Record<string, string> }> {
  const start = async (name: string, file: string, ...options: string[]) => {
    const { child, first: base } = await startChild(file, options);
    return { name, base, url: `${base}/subscribers?PageSize=${pageSize}`, child };
  };
  const bare = await start(names.bare, './bff/upstream.ts', String(pageSize));
  const before = await Promise.all([
    start(names.fastify, './bff/fastify-http-proxy.ts', bare.base),
    start(names.middleware, './bff/http-proxy-middleware.ts', bare.base),
    start(names.least, './bff/least.ts', bare.base),
  ]);
  const bff = await start(names.bff, './bff/bff.ts', bare.base, password);
  return { subjects: [bare, ...before, bff], headers: await signIn(bff.base.slice(0, -apiBase.length)) };
}

/** All subjects get these headers, so that none has less to read. */
async function signIn(origin: string): Promise<Record<string, string>> {
  const own = { [csrfHeader.name]: csrfHeader.value, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await fetch(`${origin}${bffApi.signIn.path}`, {
    method: bffApi.signIn.method,
    headers: { ...own, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'manager', password }),
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return { ...own, Cookie: cookies.join('; '), Accept: 'application/json' };
}
