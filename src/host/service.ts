import { runCommand } from './run-command.ts';
import { runOnce } from './run-once.ts';
import { addClient, removeClient } from './service/clients.ts';
import { rotateKeys } from './service/rotate-keys.ts';
import { addSecret, removeSecret } from './service/secrets.ts';
import { serveService } from './service/serve.ts';

const commands = {
  'add-client': addClient,
  'remove-client': removeClient,
  'add-secret': addSecret,
  'remove-secret': removeSecret,
  'rotate-keys': rotateKeys,
};

/** `npm run service`: serves the service by itself, or, with a command behind it, looks after its clients and keys. */
const options = process.argv.slice(2);
await (options.length === 0 ? runCommand(serveService, 'service') : runOnce('service', commands, options));
