import { createBff, type SingleSignOn } from '../../../src/bff/bff.ts';
import { addStaff } from '../../../src/bff/staff/store.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables, StaffTable } from '../../../src/bff/schema.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/exchange.ts';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { extensionNames } from '../../../src/contract/service/list-query.ts';
import type { SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { createPasswords } from '../../../src/server/passwords.ts';
import { migrate } from '../../../src/server/sql/migrate.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { createBrowser } from './browser.ts';
import { issuer, openServiceClient, openDatabase } from './bff.ts';
import { connect } from './network.ts';

/** The accounts: support staff. */
export const kari = { name: 'Kari', password: 'correct horse battery' };
export const ola = { name: 'Ola', password: 'staple another battery' };

/**
 * The real BFF as it is served to browsers: with accounts and cookies, and nobody signed in yet. With `provider` it has
 * an OpenID provider, which never answers.
 */
export async function openBffWithAccounts(
  people: readonly SubscriberInput[],
  options: { provider?: boolean } = {},
) {
  const random = createDice(3).bytes;
  const clock = () => Date.now();
  const serviceDb = openDatabase<ServiceTables>();
  await migrate(serviceDb, serviceMigrations);
  const { fetch, credentials, service } = await openServiceClient(serviceDb);
  for (const body of people) await service.createSubscriber({ body });
  const db = openDatabase<BffTables>();
  await migrate(db, bffMigrations);
  const passwords = createPasswords(random);
  const accounts = { db, passwords, random, clock };
  for (const account of [kari, ola]) await addStaff(accounts, { ...account, role: 'support' });
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
    transport: { kind: 'http', publicUrl: location.origin },
    ...(options.provider && { singleSignOn }),
    pages: async () => new Response(null, { status: 404 }),
    log: () => undefined,
  });
  const ofKari = (change: Partial<StaffTable>) =>
    db.updateTable('staff').set(change).where('name', '=', kari.name).execute();
  const browser = createBrowser(bff.fetch);
  const send = (method: string, path: string, body: object) =>
    browser(
      new Request(new URL(path, location.origin), {
        method,
        headers: { 'Content-Type': 'application/json', [csrfHeader.name]: csrfHeader.value },
        body: JSON.stringify(body),
      }),
    );
  return {
    ...connect(browser),
    /** A request of another tab of the same browser. */
    send,
    /** The service without the BFF, to check its data. */
    service,
    /** Ends everybody's session, as eight hours would. */
    endSessions: () => db.deleteFrom('sessions').execute(),
    /** Signs in by another tab of the same browser. */
    signInElsewhere: (account: typeof kari) => send('POST', '/bff/session', account),
    /** As if a manager had given Kari another role. */
    makeManager: () => ofKari({ role: 'manager' }),
    /** As if the account belonged to single sign-on; an existing session stays valid. */
    moveElsewhere: () => ofKari({ issuer: singleSignOn.issuer, subject: '7', role: 'manager' }),
    /** As if a manager had set a one-time password; an existing session stays valid. */
    makeOneTime: () => ofKari({ must_change_password: 1 }),
  };
}

const singleSignOn: SingleSignOn = {
  issuer: 'https://id.example',
  clientId: 'bff',
  clientSecret: 'long and random',
  roleClaim: 'roles',
  fetch: () => Promise.reject(new Error('The provider is down.')),
};
