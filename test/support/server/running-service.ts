import { startProcess } from './child-process.ts';

/** `npm run service` without npm, on any free port; what stands behind it is one of its commands. */
export function runService(dataDir: string, env: Record<string, string> = {}, ...command: string[]) {
  const { options, env: whole } = serviceCommand(dataDir, env);
  return startProcess([...options, ...command], whole);
}

/** What `runService` starts, for who looks after its end by another way. */
export function serviceCommand(dataDir: string, env: Record<string, string>) {
  const usual = { SERVICE_PORT: '0', DATA_DIR: dataDir, SAMPLE_SUBSCRIBERS: '0' };
  return { options: ['src/server/service.ts'], env: { ...usual, ...env } };
}

export async function serviceAddress(service: ReturnType<typeof runService>): Promise<string> {
  return (await service.line(/^Subscriber Management Service is at (http:\/\/127\.0\.0\.1:\d+)$/))[1] ?? '';
}

/** Asks for a token: the answer's status, and the token where there is one. */
export async function askToken(url: string, id: string, secret: string, scope = 'subscribers:read') {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      scope,
    }),
  });
  const { access_token: token = '' } = (await answer.json()) as { access_token?: string };
  return { status: answer.status, token };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
