/** The commands of `npm run service`: API clients, their secrets, and the key that signs tokens. */
import { scopes as allScopes } from '../../contract/service/token.ts';
import {
  addApiClient,
  addClientSecret,
  removeApiClient,
  removeOlderSecret,
} from '../../service/oauth/api-clients.ts';
import { rotateSigningKey } from '../../service/oauth/signing-keys.ts';
import { CannotStart } from '../cannot-start.ts';
import { isClientId, readScopes } from '../config/variables.ts';
import { embeddedClientId } from '../embedded-service.ts';
import { commandLines } from '../installation.ts';
import type { Command } from '../run-command.ts';
import { clock, random } from '../runtime.ts';
import { withServiceStore } from '../service/store.ts';

/**
 * `add-client ID [SCOPE …]`: adds an API client, with all scopes if none are given. Prints its secret, only this once.
 */
const addClient: Command = async ({ config, options: [given, ...names], say }) => {
  if (given === undefined)
    throw new CannotStart(`Give the new client an ID: ${commandLines.service} add-client ID [SCOPE …].`);
  const id = checkedClient(given);
  const scopes = names.length === 0 ? allScopes : readScopes(names);
  if (!scopes) throw new CannotStart(`There is no such scope. Choose from: ${allScopes.join(', ')}.`);
  const secret = await withServiceStore(config, (db) => addApiClient({ db, random }, { id, scopes }));
  if (secret === null)
    throw new CannotStart(
      `The client ${id} already exists. Choose another ID, or give it a second secret with add-secret.`,
    );
  say(`Client ID: ${id}`);
  say(`Client secret: ${secret}`);
  say(`Scopes: ${scopes.join(' ')}`);
  say('The secret is shown only once. Keep it in a safe place.');
  return true;
};

/** `remove-client ID`: removes an API client. */
const removeClient: Command = async ({ config, options, say }) => {
  const id = oneClient('remove-client', options);
  if (!(await withServiceStore(config, (db) => removeApiClient(db, id)))) throw unknownClient(id);
  say(`The client ${id} was removed. It gets no new tokens, and its tokens expire within an hour.`);
  return true;
};

/** `add-secret ID`: adds a second secret, so that a client can switch to it without downtime. */
const addSecret: Command = async ({ config, options, say }) => {
  const id = oneClient('add-secret', options);
  const added = await withServiceStore(config, (db) => addClientSecret({ db, random }, id));
  if (added === 'unknown') throw unknownClient(id);
  if (added === 'full')
    throw new CannotStart(
      `The client ${id} already has two secrets. Remove the older one first with remove-secret.`,
    );
  say(`Client secret: ${added.secret}`);
  say('The secret is shown only once. The older secret works until you remove it with remove-secret.');
  return true;
};

/** `remove-secret ID`: removes the older of two secrets. */
const removeSecret: Command = async ({ config, options, say }) => {
  const id = oneClient('remove-secret', options);
  const outcome = await withServiceStore(config, (db) => removeOlderSecret(db, id));
  if (outcome === 'unknown') throw unknownClient(id);
  if (outcome === 'only-one')
    throw new CannotStart(
      `The client ${id} has only one secret. Add another one first with add-secret, or remove the client with remove-client.`,
    );
  say(`The older secret of the client ${id} was removed. The newer one still works.`);
  return true;
};

/** `rotate-keys`: creates the key that signs tokens from now on, at every replica. */
const rotateKeys: Command = async ({ config, options, say }) => {
  if (options.length > 0) throw new CannotStart('Give rotate-keys no options.');
  await withServiceStore(config, (db) => rotateSigningKey({ db, clock }));
  say(
    'A new key signs the tokens. Every replica uses it within seconds. The old key is valid until its last token expires.',
  );
  return true;
};

/** The commands by the NAME in `npm run service -- NAME …`. */
export const serviceCommands = {
  'add-client': addClient,
  'remove-client': removeClient,
  'add-secret': addSecret,
  'remove-secret': removeSecret,
  'rotate-keys': rotateKeys,
} as const satisfies Record<string, Command>;

/**
 * Reads the id of the one client that a command is for.
 *
 * @throws {CannotStart} if there is none or more than one
 */
function oneClient(command: string, [id, ...more]: readonly string[]): string {
  if (id === undefined || more.length > 0)
    throw new CannotStart(`Give the ID of one client: ${commandLines.service} ${command} ID.`);
  return checkedClient(id);
}

/** @throws {CannotStart} if the text cannot be a client's id, or is that of the dashboard, which would lose its service */
function checkedClient(id: string): string {
  if (id === embeddedClientId)
    throw new CannotStart(`The client ${id} is the dashboard's own. Give the ID of another client.`);
  if (isClientId(id)) return id;
  throw new CannotStart(
    'This is not a client ID. Use 1 to 64 letters, digits, hyphens, dots and underscores.',
  );
}

const unknownClient = (id: string): CannotStart =>
  new CannotStart(`There is no client ${id}. Check the spelling, and DATA_DIR or SERVICE_DATABASE_URL.`);
