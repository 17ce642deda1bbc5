import { deskCommands } from './commands/desk-commands.ts';
import { serviceCommands } from './commands/service-clients.ts';
import { runCommand, runOnce, thisProcess } from './run-command.ts';
import { serveService } from './service/serve.ts';
import { startServer } from './start-server.ts';

/**
 * `main.ts start`: the dashboard, the BFF and the service on one port. `main.ts service`: the service alone, or with a
 * command its clients and keys. Any other word is a command of `npm run desk`.
 */
const [command, ...words] = process.argv.slice(2);
if (command === 'start') await runCommand(async (context) => (await startServer(context)).stop);
else if (command !== 'service')
  process.exitCode = await runOnce('server', deskCommands, process.argv.slice(2), thisProcess);
else if (words.length === 0)
  await runCommand(async (context) => (await serveService(context)).stop, 'service');
else process.exitCode = await runOnce('service', serviceCommands, words, thisProcess);
