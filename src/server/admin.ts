import { deskCommands } from './commands/desk-commands.ts';
import { runOnce, thisProcess } from './run-command.ts';

/** `npm run desk -- COMMAND`. */
process.exitCode = await runOnce('server', deskCommands, process.argv.slice(2), thisProcess);
