import { readFileSync } from 'node:fs';
import { CannotStart, sentenceFor } from './cannot-start.ts';
import { readConfig } from './config/config.ts';
import type { Command } from './commands/command.ts';

/**
 * Runs one of an operator's commands, `npm run ROOM -- NAME …`, and sets the exit code: 0 where all went well, else 1
 * and a sentence.
 */
export async function runOnce(
  room: 'desk' | 'service',
  commands: Readonly<Record<string, Command>>,
  [name = '', ...options]: readonly string[],
): Promise<void> {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command)
      throw new CannotStart(
        `Say what to do: npm run ${room} -- COMMAND, with one of: ${Object.keys(commands).join(', ')}.`,
      );
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'), room);
    process.exitCode = (await command({ config, options, say })) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n`);
    process.exitCode = 1;
  }
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
