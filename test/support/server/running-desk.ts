import { startProcess } from './child-process.ts';

/** `npm start` without npm, on any free port. */
export function startDesk(dataDir: string, env: Record<string, string> = {}) {
  return startProcess(['src/server/start.ts'], { PORT: '0', DATA_DIR: dataDir, ...env });
}

export async function addressOf(desk: ReturnType<typeof startDesk>): Promise<string> {
  return (await desk.line(/^Subscriber Desk is at (http:\/\/127\.0\.0\.1:\d+)$/))[1] ?? '';
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
