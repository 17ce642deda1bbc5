import { forgetSubscriber, resetPassword, verifyJournal } from './commands/bff-database.ts';
import { checkUpstream } from './commands/check-upstream.ts';
import { runOnce } from './run-command.ts';

const commands = {
  'check-upstream': checkUpstream,
  'forget-subscriber': forgetSubscriber,
  'reset-password': resetPassword,
  'verify-journal': verifyJournal,
};

/** `npm run desk -- COMMAND`: what an operator does from the terminal, whether the server runs or not. */
await runOnce('server', commands, process.argv.slice(2));
