/** The commands of `npm run service`: API clients, their secrets, and the key that signs tokens. */
import { scopes as allScopes } from '../../contract/service/token.ts';
import {
  addApiClient,
  addClientSecret,
  removeApiClient,
  removeOlderSecret,
} from '../../service/oauth/client-secrets.ts';
import { rotateSigningKey } from '../../service/oauth/signing-keys.ts';
import { CannotStart } from '../cannot-start.ts';
import { isClientId, readScopes } from '../config/connections.ts';
import type { Command } from '../run-command.ts';
import { clock, random } from '../runtime.ts';
import { withServiceStore } from '../service/store.ts';

/** `add-client ID [SCOPE …]`: lets a program in, with every scope unless some are named. Its secret is shown once. */
const addClient: Command = async ({ config, options: [given, ...names], say }) => {
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
const removeClient: Command = async ({ config, options, say }) => {
  const id = oneClient('remove-client', options);
  if (!(await withServiceStore(config, (db) => removeApiClient(db, id)))) throw unknownClient(id);
  say(`The client ${id} gets no more tokens. Those that it has end within an hour.`);
  return true;
};

/** `add-secret ID`: a second secret beside the one in use, so that a client can change over without downtime. */
const addSecret: Command = async ({ config, options, say }) => {
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
const removeSecret: Command = async ({ config, options, say }) => {
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

/** `rotate-keys`: another key signs the tokens from now on, at every replica. */
const rotateKeys: Command = async ({ config, options, say }) => {
  if (options.length > 0) throw new CannotStart('Give rotate-keys nothing more.');
  await withServiceStore(config, (db) => rotateSigningKey({ db, clock }));
  say(
    'A new key signs tokens, within seconds at every replica. The old one ends with the last of its tokens.',
  );
  return true;
};

/** What `npm run service -- NAME …` does, by its name. */
export const serviceCommands = {
  'add-client': addClient,
  'remove-client': removeClient,
  'add-secret': addSecret,
  'remove-secret': removeSecret,
  'rotate-keys': rotateKeys,
} as const satisfies Record<string, Command>;

/**
 * The client that a command is for, from its options.
 *
 * @throws {CannotStart} where there is none, or more than one
 */
function oneClient(command: string, [id, ...more]: readonly string[]): string {
  if (id === undefined || more.length > 0)
    throw new CannotStart(`Give one client: npm run service -- ${command} ID.`);
  return checkedClient(id);
}

/** @throws {CannotStart} for a text that cannot be a client's id */
function checkedClient(id: string): string {
  if (isClientId(id)) return id;
  throw new CannotStart(
    'The id of a client has 1 to 64 letters, digits, hyphens, dots and underscores, and no others.',
  );
}

const unknownClient = (id: string): CannotStart =>
  new CannotStart(`There is no client ${id}. Check its spelling, and DATA_DIR or SERVICE_DATABASE_URL.`);
