import type { Command } from '../run-command.ts';
import { backup, restore } from './backup.ts';
import { forgetSubscriber, resetPassword, verifyJournal } from './bff-database.ts';
import { checkUpstream } from './check-upstream.ts';

/** The commands of `npm run desk`: what an operator does from the terminal, whether the server runs or not. */
export const deskCommands: Readonly<Record<string, Command>> = {
  backup,
  'check-upstream': checkUpstream,
  'forget-subscriber': forgetSubscriber,
  'reset-password': resetPassword,
  restore,
  'verify-journal': verifyJournal,
};
