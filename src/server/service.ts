import { runCommand } from './run-command.ts';
import { runOnce } from './run-once.ts';
import { serviceCommands } from './commands/service-commands.ts';
import { serveService } from './service/serve.ts';

/** `npm run service`: serves the service by itself, or, with a command behind it, looks after its clients and keys. */
const options = process.argv.slice(2);
await (options.length === 0
  ? runCommand(serveService, 'service')
  : runOnce('service', serviceCommands, options));
