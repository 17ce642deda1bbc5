import { readFileSync } from 'node:fs';
import { CannotStart } from './cannot-start.ts';
import { readConfig } from './config.ts';
import { checkUpstream } from './desk/check-upstream.ts';
import type { Command } from './desk/command.ts';

/** `npm run desk -- NAME`: what is done once and by hand. */
const commands: Readonly<Record<string, Command>> = {
  'check-upstream': checkUpstream,
};

try {
  const [name = '', ...options] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CannotStart(`Say what to do: ${Object.keys(commands).join(', ')}.`);
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const done = await command({ config, options, say: (sentence) => process.stdout.write(`${sentence}\n`) });
  process.exitCode = done ? 0 : 1;
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
