import { createBff, type SingleSignOn } from '../../../src/bff/bff.ts';
import { addStaff } from '../../../src/bff/staff.ts';
import { deskMigrations } from '../../../src/bff/store/migrations.ts';
import type { DeskTables } from '../../../src/bff/store/schema.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/by-fetch.ts';
import { extensionNames } from '../../../src/contract/list-query.ts';
import type { SubscriberInput } from '../../../src/contract/subscriber-input.ts';
import { createPasswords } from '../../../src/host/passwords.ts';
import { migrate } from '../../../src/host/sql/migrate.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { serviceMigrations } from '../../../src/service/store/migrations.ts';
import type { ServiceTables } from '../../../src/service/store/schema.ts';
import { createBrowser } from './browser.ts';
import { issuer, openBackDoor, openDatabase } from './desk.ts';
import { connect } from './network.ts';

/** The account of the office. */
export const kari = { name: 'Kari', password: 'correct horse battery' };

/**
 * The desk as it is served to browsers: with accounts and cookies, and nobody signed in yet. Its OpenID provider, where
 * there is one, never answers.
 */
export async function openOffice(people: readonly SubscriberInput[], options: { provider?: boolean } = {}) {
  const random = createDice(3).bytes;
  const clock = () => Date.now();
  const serviceDb = openDatabase<ServiceTables>();
  await migrate(serviceDb, serviceMigrations);
  const { fetch, credentials, service } = await openBackDoor(serviceDb);
  for (const body of people) await service.createSubscriber({ body });
  const db = openDatabase<DeskTables>();
  await migrate(db, deskMigrations);
  const passwords = createPasswords(random);
  await addStaff({ db, passwords, random, clock }, { ...kari, role: 'support' });
  const bff = createBff({
    db,
    clock,
    random,
    passwords,
    journalKey: 'A'.repeat(43),
    upstream: {
      exchange: exchangeByFetch(fetch),
      baseUrl: issuer,
      clientId: credentials.id,
      clientSecret: credentials.secret,
      scopes: { read: 'subscribers:read', write: 'subscribers:write' },
      extensions: extensionNames,
    },
    visitor: { kind: 'browser', publicUrl: location.origin },
    ...(options.provider && { singleSignOn }),
    pages: async () => new Response(null, { status: 404 }),
    log: () => undefined,
  });
  return {
    ...connect(createBrowser(bff.fetch)),
    /** As if the account's owner had come by single sign-on; a session of before goes on. */
    moveElsewhere: () =>
      db.updateTable('staff').set({ issuer: singleSignOn.issuer, subject: '7', role: 'manager' }).execute(),
    /** As if a manager had given the account's owner the password; a session of before goes on. */
    makeOneTime: () => db.updateTable('staff').set({ must_change_password: 1 }).execute(),
  };
}

const singleSignOn: SingleSignOn = {
  issuer: 'https://id.example',
  clientId: 'desk',
  clientSecret: 'long and random',
  roleClaim: 'roles',
  fetch: () => Promise.reject(new Error('The provider is down.')),
};
