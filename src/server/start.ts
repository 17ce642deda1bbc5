import { runCommand } from './run-command.ts';
import { startServer } from './start-server.ts';

/** `npm start`: the dashboard, the BFF and the service on one port. */
await runCommand(async (context) => (await startServer(context)).stop);
