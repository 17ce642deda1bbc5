import { CannotStart } from '../../../src/server/cannot-start.ts';
import { readConfig } from '../../../src/server/config/config.ts';
import { serviceCommands } from '../../../src/server/commands/service-clients.ts';

export type ServiceCommand = keyof typeof serviceCommands;

/**
 * `npm run service -- NAME …` without a process of its own.
 *
 * @returns why it could not be done, and the secret that it told; empty for none
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
