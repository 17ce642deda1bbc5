import { readHead, writeHead } from '../../bff/journal/chain.ts';
import { createMac } from '../../bff/journal/mac.ts';
import { verifyJournal as verify } from '../../bff/journal/verify.ts';
import { findSecret } from '../../bff/auth/secrets.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Command } from './command.ts';
import { openDeskDatabase } from './open-desk-database.ts';

/**
 * `verify-journal [HEAD]`: whether the journal is as the desk wrote it. The head that it prints, kept elsewhere and
 * given the next time, shows that the end was not cut off either.
 */
export const verifyJournal: Command = async ({ config, options, say }) => {
  const [text, ...more] = options;
  const exported = text === undefined ? null : readHead(text);
  if ((text !== undefined && exported === null) || more.length > 0)
    throw new CannotStart(
      'Give nothing, or one head as this printed it: npm run desk -- verify-journal HEAD.',
    );
  const db = await openDeskDatabase(config);
  try {
    const key = await findSecret(db, 'journal-key');
    if (key === null)
      throw new CannotStart('This desk was never started, so it has no journal. Start it first.');
    const verdict = await verify(db, createMac(key), exported);
    if ('fault' in verdict) {
      say(`The journal is not as the desk wrote it. ${verdict.fault}`);
      return false;
    }
    say(`${verdict.entries} entries, all as the desk wrote them.`);
    say(`Head: ${writeHead(verdict.head)}`);
    return true;
  } finally {
    await db.destroy();
  }
};
