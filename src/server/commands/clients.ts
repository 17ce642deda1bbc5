import { scopes as allScopes } from '../../contract/service/token.ts';
import { addApiClient, removeApiClient } from '../../service/oauth/client-secrets.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Command } from './command.ts';
import { random } from '../runtime.ts';
import { readScopes } from '../config/service-config.ts';
import { checkedClient, oneClient, unknownClient } from './client-option.ts';
import { withServiceStore } from '../service/store.ts';

/** `add-client ID [SCOPE …]`: lets a program in, with every scope unless some are named. Its secret is told once. */
export const addClient: Command = async ({ config, options: [given, ...names], say }) => {
  if (given === undefined)
    throw new CannotStart('Give the client an id: npm run service -- add-client ID [SCOPE …].');
  const id = checkedClient(given);
  const scopes = names.length === 0 ? allScopes : readScopes(names);
  if (!scopes) throw new CannotStart(`Choose its scopes from: ${allScopes.join(', ')}.`);
  const secret = await withServiceStore(config, (db) => addApiClient({ db, random }, { id, scopes }));
  if (secret === null)
    throw new CannotStart(`There is a client ${id} already. Choose another id, or add-secret for this one.`);
  say(`Client id: ${id}`);
  say(`Client secret: ${secret}`);
  say(`Scopes: ${scopes.join(' ')}`);
  say('The secret is shown this once. Keep it.');
  return true;
};

/** `remove-client ID`: locks a program out. */
export const removeClient: Command = async ({ config, options, say }) => {
  const id = oneClient('remove-client', options);
  if (!(await withServiceStore(config, (db) => removeApiClient(db, id)))) throw unknownClient(id);
  say(`The client ${id} gets no more tokens. Those that it has end within an hour.`);
  return true;
};
