import { checkUpstream } from './commands/check-upstream.ts';
import { resetPassword } from './commands/reset-password.ts';
import { runOnce } from './run-once.ts';
import { verifyJournal } from './commands/verify-journal.ts';

const commands = {
  'check-upstream': checkUpstream,
  'reset-password': resetPassword,
  'verify-journal': verifyJournal,
};

/** `npm run desk -- COMMAND`: what an operator does to a desk from the terminal, whether it runs or not. */
await runOnce('desk', commands, process.argv.slice(2));
