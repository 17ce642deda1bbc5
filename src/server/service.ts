import { serviceCommands } from './commands/service-clients.ts';
import { runCommand, runOnce, thisProcess } from './run-command.ts';
import { serveService } from './service/serve.ts';

/** `npm run service`: serves the service alone. With a command, it manages the service's clients and keys. */
const options = process.argv.slice(2);
if (options.length === 0) await runCommand(async (context) => (await serveService(context)).stop, 'service');
else process.exitCode = await runOnce('service', serviceCommands, options, thisProcess);
