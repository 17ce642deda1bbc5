import { rotateSigningKey } from '../../service/oauth/signing-keys.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Command } from './command.ts';
import { clock } from '../runtime.ts';
import { withServiceStore } from '../service/store.ts';

/** `rotate-keys`: another key signs the tokens from now on, at every replica. */
export const rotateKeys: Command = async ({ config, options, say }) => {
  if (options.length > 0) throw new CannotStart('Give rotate-keys nothing more.');
  await withServiceStore(config, (db) => rotateSigningKey({ db, clock }));
  say(
    'A new key signs tokens, within seconds at every replica. The old one ends with the last of its tokens.',
  );
  return true;
};
