import type { Command } from './command.ts';
import { addClient, removeClient } from './clients.ts';
import { rotateKeys } from './rotate-keys.ts';
import { addSecret, removeSecret } from './secrets.ts';

/** What `npm run service -- NAME …` does, by its name. */
export const serviceCommands = {
  'add-client': addClient,
  'remove-client': removeClient,
  'add-secret': addSecret,
  'remove-secret': removeSecret,
  'rotate-keys': rotateKeys,
} as const satisfies Record<string, Command>;
