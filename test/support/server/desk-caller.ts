import { Agent, request } from 'node:http';

export interface DeskAnswer {
  status: number;
  text: string;
  retryAfter: string | null;
  cookie: string;
}

/** A browser, of which servers see one connection: it asks those of its own site, and also names the site past a proxy. */
export function createDeskCaller(publicUrl: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { host } = new URL(publicUrl);
  let cookie = '';
  const ask = (
    port: number,
    path: string,
    { method = 'GET', body, headers = {} }: { method?: string; body?: object; headers?: object } = {},
  ): Promise<DeskAnswer> =>
    new Promise((resolve, reject) => {
      const type = body && { 'Content-Type': 'application/json' };
      const own = { Host: host, Origin: publicUrl, 'X-CSRF': '1', Cookie: cookie, ...type, ...headers };
      const asked = request({ host: '127.0.0.1', port, path, method, agent, headers: own }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (text += part));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text,
            retryAfter: answer.headers['retry-after'] ?? null,
            cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
          }),
        );
      });
      asked.on('error', reject);
      asked.end(body && JSON.stringify(body));
    });
  return {
    ask,
    async signIn(port: number, password: string, name = 'manager') {
      const answer = await ask(port, '/bff/session', { method: 'POST', body: { name, password } });
      cookie = answer.cookie;
      return answer.status;
    },
    close: () => agent.destroy(),
  };
}

export type DeskCaller = ReturnType<typeof createDeskCaller>;
