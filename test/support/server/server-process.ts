import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { startProcess } from './start-process.ts';

/** `npm start` without npm, on any free port. */
export function startServer(dataDir: string, env: Record<string, string> = {}) {
  return startProcess(['src/server/start.ts'], { PORT: '0', DATA_DIR: dataDir, ...env });
}

export async function addressOf(server: ReturnType<typeof startServer>): Promise<string> {
  return (await server.line(/^Subscriber Desk is running at (http:\/\/127\.0\.0\.1:\d+)$/))[1] ?? '';
}

/** Signs in and gives a function that asks as that person. */
export async function signIn(url: string, password: string, name = 'manager') {
  const headers = { 'X-CSRF': '1', Origin: url };
  const answer = await fetch(`${url}/bff/session`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const ask = (path: string, method = 'GET') =>
    fetch(url + path, { method, headers: { ...headers, Cookie: cookie } });
  return { status: answer.status, ask, cookie };
}

export async function totalCount(answer: Response): Promise<number> {
  const page: unknown = await answer.json();
  return page !== null && typeof page === 'object' && 'totalCount' in page
    ? Number(page.totalCount)
    : Number.NaN;
}

/** Returns a function that sends a change to a running server with a session cookie. */
export function writeTo(url: string, cookie: string) {
  return async (method: string, path: string, body: unknown, key?: string) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        'X-CSRF': '1',
        Origin: url,
        Cookie: cookie,
        'Content-Type': 'application/json',
        ...(key !== undefined && { [changeHeaders.key]: key }),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, text, replayed: answer.headers.has(changeHeaders.replayed) };
  };
}

/** The body of a creation. */
export const newSubscriber = (username: string) => ({
  username,
  email: 'made@example.com',
  expiresAt: '2030-01-01T00:00:00.000Z',
});
