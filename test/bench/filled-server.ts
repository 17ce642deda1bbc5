import { csrfHeader } from '../../src/contract/bff/paths.ts';
import { addPeople } from './load/people.ts';
import { startServer } from './server.ts';

/** A server with so many subscribers on the embedded SQLite, and two managers who are signed in, by their cookies. */
export async function startFilledServer(rows: number) {
  const server = await startServer('src/server/start.ts', {
    SAMPLE_SUBSCRIBERS: String(rows),
    READS_PER_SECOND: '0',
    LOG_LEVEL: 'error',
  });
  const { cookies } = await addPeople(server.folder, { sessions: 2, accounts: 2 });
  const [manager = '', colleague = ''] = cookies;
  const origin = `http://127.0.0.1:${server.port}`;
  const send = (cookie: string, path: string, method = 'GET', body?: unknown) =>
    fetch(origin + path, {
      method,
      headers: {
        Cookie: cookie,
        Origin: origin,
        [csrfHeader.name]: csrfHeader.value,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { server, manager, colleague, send };
}
