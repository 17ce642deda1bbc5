import { readFileSync } from 'node:fs';
import { CannotStart, sentenceFor } from './cannot-start.ts';
import { readConfig } from './config.ts';
import { checkUpstream } from './desk/check-upstream.ts';
import type { Command } from './desk/command.ts';
import { resetPassword } from './desk/reset-password.ts';

const commands: Readonly<Record<string, Command>> = {
  'check-upstream': checkUpstream,
  'reset-password': resetPassword,
};

/** `npm run desk -- COMMAND`: what an operator does to a desk from the terminal, whether it runs or not. */
const [name = '', ...options] = process.argv.slice(2);
try {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new CannotStart(
      `Say what to do: npm run desk -- COMMAND, with one of: ${Object.keys(commands).join(', ')}.`,
    );
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const done = await command({ config, options, say: (sentence) => process.stdout.write(`${sentence}\n`) });
  process.exitCode = done ? 0 : 1;
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`);
  process.exitCode = 1;
}
