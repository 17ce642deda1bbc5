import { addClientSecret, removeOlderSecret } from '../../service/oauth/client-secrets.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Command } from './command.ts';
import { random } from '../runtime.ts';
import { oneClient, unknownClient } from './client-option.ts';
import { withServiceStore } from '../service/store.ts';

/** `add-secret ID`: a second secret beside the one in use, so that a client can change over without a pause. */
export const addSecret: Command = async ({ config, options, say }) => {
  const id = oneClient('add-secret', options);
  const added = await withServiceStore(config, (db) => addClientSecret({ db, random }, id));
  if (added === 'unknown') throw unknownClient(id);
  if (added === 'full')
    throw new CannotStart(`The client ${id} has two secrets. End the older one first, by remove-secret.`);
  say(`Client secret: ${added.secret}`);
  say('It is shown this once. The other one is good until remove-secret ends it.');
  return true;
};

/** `remove-secret ID`: ends the older of two secrets. */
export const removeSecret: Command = async ({ config, options, say }) => {
  const id = oneClient('remove-secret', options);
  const outcome = await withServiceStore(config, (db) => removeOlderSecret(db, id));
  if (outcome === 'unknown') throw unknownClient(id);
  if (outcome === 'only-one')
    throw new CannotStart(
      `The client ${id} has one secret only. Give it another by add-secret, or lock it out by remove-client.`,
    );
  say(`The older secret of the client ${id} has ended. The newer one is good.`);
  return true;
};
