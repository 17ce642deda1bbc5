import { backup, restore } from './commands/backup.ts';
import { forgetSubscriber, resetPassword, verifyJournal } from './commands/bff-database.ts';
import { checkUpstream } from './commands/check-upstream.ts';
import { runOnce } from './run-command.ts';

const commands = {
  backup,
  'check-upstream': checkUpstream,
  'forget-subscriber': forgetSubscriber,
  'reset-password': resetPassword,
  restore,
  'verify-journal': verifyJournal,
};

/** `npm run desk -- COMMAND`: what an operator does from the terminal, whether the server runs or not. */
await runOnce('server', commands, process.argv.slice(2));
