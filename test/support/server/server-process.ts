import { createPerson } from '../bff/person.ts';
import { tokenRequest } from '../service/calls.ts';
import { startProcess } from './start-process.ts';

/** `npm start` without npm, on any free port, as a process of its own: for what only a process shows. */
export function startServer(dataDir: string, env: Record<string, string> = {}) {
  return startProcess(['src/server/main.ts', 'start'], { PORT: '0', DATA_DIR: dataDir, ...env });
}

/** The same for `npm run service`. */
export function startService(dataDir: string, env: Record<string, string> = {}) {
  const usual = { SERVICE_PORT: '0', DATA_DIR: dataDir, SAMPLE_SUBSCRIBERS: '0' };
  return startProcess(['src/server/main.ts', 'service'], { ...usual, ...env });
}

export async function addressOf({ line }: ReturnType<typeof startProcess>): Promise<string> {
  return (await line(/^Subscriber .* is running at (http:\S+)$/))[1] ?? '';
}

/** Signs in at a server that listens. The person's cookie and requests are as a browser's. */
export async function signIn(url: string, password: string, name = 'manager') {
  const person = createPerson(fetch, url);
  const { status } = await person.ask('POST', '/bff/session', { name, password });
  return { ...person, status, cookie: person.cookie() };
}

export async function totalCount(answer: Response): Promise<number> {
  const page: { totalCount?: number } = await answer.json();
  return page.totalCount ?? Number.NaN;
}

/** Asks a service that listens for a token: the answer's status, and the token where there is one. */
export async function askToken(base: string, id: string, secret: string, scope = 'subscribers:read') {
  const answer = await fetch(tokenRequest({ base, credentials: { id, secret } }, { scope }));
  const { access_token: token = '' } = (await answer.json()) as { access_token?: string };
  return { status: answer.status, token };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
