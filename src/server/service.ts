import { serviceCommands } from './commands/service-clients.ts';
import { runCommand, runOnce } from './run-command.ts';
import { serveService } from './service/serve.ts';

/** `npm run service`: serves the service alone. With a command, it manages the service's clients and keys. */
const options = process.argv.slice(2);
await (options.length === 0
  ? runCommand(serveService, 'service')
  : runOnce('service', serviceCommands, options));
