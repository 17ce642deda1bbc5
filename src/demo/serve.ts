import { runCommand } from '../server/run-command.ts';
import { startDemo } from './start-demo.ts';

/** `npm run demo`: the dashboard with a server in the tab. */
await runCommand(async (context) => (await startDemo(context)).stop);
