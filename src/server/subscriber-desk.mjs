#!/usr/bin/env node
/**
 * `subscriber-desk` of the package: what `npm start` and the other commands are in a clone. It uses the Node that runs
 * it, or the one that was installed with the package. Plain JavaScript, because an old Node may run this file.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { giveUp, handOver, stopWithParent } from './hand-over.mjs';

/** The oldest Node that has all that the program needs. */
const oldest = 26;

const help = `subscriber-desk                        dashboard, BFF and service on one port
subscriber-desk demo                   the dashboard with made-up data, all in the browser's tab
subscriber-desk service                the subscriber service by itself, for API clients
subscriber-desk service COMMAND        its API clients: add-client, remove-client, add-secret,
                                       remove-secret, rotate-keys
subscriber-desk backup FOLDER          copies all tables in SQLite into a new folder, and checks it
subscriber-desk check-upstream         tries the service elsewhere that is configured; with --write, changes too
subscriber-desk forget-subscriber ID   erases the personal data of a subscriber; with NAME and EMAIL after the ID,
                                       also where only these are
subscriber-desk reset-password NAME    gives an account a one-time password
subscriber-desk restore FOLDER         fills an empty data folder from such a backup
subscriber-desk verify-journal         checks that nobody edited the journal

Data is kept in ./data, settings are environment variables. README.md of this package tells all of them:
${fileURLToPath(new URL('../../README.md', import.meta.url))}
`;

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const [command = 'start', ...rest] = process.argv.slice(2);

if (['--version', '-v'].includes(command)) process.stdout.write(`${manifest.version}\n`);
else if (['help', '--help', '-h'].includes(command)) process.stdout.write(help);
else if (Number.parseInt(process.versions.node, 10) >= oldest) await run();
else runOnOtherNode();

async function run() {
  stopWithParent(() => process.kill(process.pid, 'SIGTERM'));
  process.argv.splice(2, Number.POSITIVE_INFINITY, command, ...rest);
  return command === 'demo' ? import('../demo/serve.ts') : import('./main.ts');
}

function runOnOtherNode() {
  const node = findNode();
  if (!node)
    giveUp(
      `Subscriber Desk needs Node ${oldest} or newer, and this is Node ${process.versions.node}. Install a newer Node, or install this package again with its optional packages, which bring one.`,
    );
  handOver(node, [fileURLToPath(import.meta.url), command, ...rest], {
    onError: (error) =>
      giveUp(`Cannot start the Node of this package: ${error.message}. Install Node ${oldest} or newer.`),
  });
}

/** The Node of the one optional package that fits this platform: npm leaves out the others. */
function findNode() {
  const { resolve } = createRequire(import.meta.url);
  for (const name of Object.keys(manifest.optionalDependencies)) {
    try {
      const file = resolve(`${name}/package.json`);
      return join(dirname(file), JSON.parse(readFileSync(file, 'utf8')).bin.node);
    } catch {
      // For another platform.
    }
  }
  return null;
}
