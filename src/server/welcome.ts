import type { Desk } from './assemble.ts';

/** What a person needs to begin: the address, and the first account while nobody knows it. */
export function welcome(
  say: (sentence: string) => void,
  publicUrl: string,
  account: Desk['firstAccount'],
): void {
  say(`Subscriber Desk is at ${publicUrl}`);
  if (account?.password) {
    say(`Sign in as ${account.name} with the password ${account.password}`);
    say('It is shown this once. Keep it.');
  } else if (account) say(`Sign in as ${account.name} with the password of MANAGER_PASSWORD.`);
  if (process.stdout.isTTY) say('Ctrl-C stops it.');
}
