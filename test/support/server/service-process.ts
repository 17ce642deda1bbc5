import { CannotStart } from '../../../src/server/cannot-start.ts';
import { readConfig } from '../../../src/server/config/config.ts';
import { serviceCommands } from '../../../src/server/commands/service-clients.ts';
import { startProcess } from './start-process.ts';

/** `npm run service` without npm, on any free port; or one of its commands. */
export function runService(dataDir: string, env: Record<string, string> = {}, ...command: string[]) {
  const { options, env: whole } = serviceCommand(dataDir, env);
  return startProcess([...options, ...command], whole);
}

/** What `runService` starts, for a caller that ends it in another way. */
export function serviceCommand(dataDir: string, env: Record<string, string>) {
  const usual = { SERVICE_PORT: '0', DATA_DIR: dataDir, SAMPLE_SUBSCRIBERS: '0' };
  return { options: ['src/server/service.ts'], env: { ...usual, ...env } };
}

export async function serviceAddress(service: ReturnType<typeof runService>): Promise<string> {
  return (
    (await service.line(/^Subscriber Management Service is running at (http:\/\/127\.0\.0\.1:\d+)$/))[1] ?? ''
  );
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

export type ServiceCommand = keyof typeof serviceCommands;

/**
 * `npm run service -- NAME …` without a process of its own.
 *
 * @returns why it could not be done, and the secret that it printed; empty for none
 */
export async function doCommand(
  env: Readonly<Record<string, string>>,
  name: ServiceCommand,
  ...options: string[]
): Promise<{ refusal: string; secret: string }> {
  const said: string[] = [];
  const config = readConfig(env, () => '', 'service');
  const refusal = await serviceCommands[name]({ config, options, say: (line) => said.push(line) }).then(
    () => '',
    (error: unknown) => {
      if (error instanceof CannotStart) return error.message;
      throw error;
    },
  );
  return { refusal, secret: secretIn(said.join('\n')) };
}

export const secretIn = (said: string): string => /^Client secret: (\S{43})$/m.exec(said)?.[1] ?? '';
