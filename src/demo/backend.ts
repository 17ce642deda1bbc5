import { findOrCreateSecret } from '../bff/auth/secrets.ts';
import { createBff, type Bff } from '../bff/http/bff.ts';
import type { Role } from '../contract/bff/permission.ts';
import { toBase64url } from '../lib/crypto.ts';
import { embedService, fillEmbeddedService } from '../server/embedded-service.ts';
import type { Databases, DemoTables } from './data.ts';
import { createServiceClient, editAsColleague, withServiceFaults } from './faults.ts';
import { planHistory } from './history.ts';
import { createSignIn, moveSessions, passwords } from './people.ts';
import { colleague, names, type DataSet, type Fault } from './settings.ts';

/** The caller: a tab, the session that it had last, and the faults that it meets. */
export interface CallingTab {
  tab: string;
  session: string | null;
  faults: readonly Fault[];
}

/** Settings that all tabs of a backend share. */
export interface About {
  /** Tells its data from others. */
  id: string;
  data: DataSet;
  /** Number of days that its clock is ahead. */
  days: number;
  /** False where the browser keeps no files. */
  isStored: boolean;
}

/** The user of a tab; the role is null where nobody is signed in. */
export interface User {
  session: string | null;
  role: Role | null;
}

interface Parts {
  databases: Databases;
  isStored: boolean;
  /** The real time, in ms since 1970. */
  now: () => number;
  random: (bytes: number) => Uint8Array;
  userAgent: string;
  origin: string;
}

/** A request that can be sent to another tab. */
interface PlainRequest {
  url: string;
  method: string;
  headers: [string, string][];
  body: ArrayBuffer | null;
}

/** A tab's part of a backend: a BFF that takes the session instead of a cookie, and meets the faults of the tab. */
interface TabBff {
  bff: Bff;
  session: string | null;
  faults: readonly Fault[];
}

export type Backend = Awaited<ReturnType<typeof openBackend>>;

const day = 24 * 60 * 60_000;
const log = () => undefined;

/** The BFF and the service on the data of a demo, for all tabs that show it. */
export async function openBackend({ databases, isStored, now, random, userAgent, origin }: Parts) {
  const { service, bff: db } = databases;
  const about = await db.withTables<DemoTables>().selectFrom('demo').selectAll().executeTakeFirstOrThrow();
  const clock = () => now() + about.days * day;
  const clientSecret = toBase64url(random(32));
  await fillEmbeddedService(service, { clientSecret, samples: 0, now: clock() });
  const upstream = embedService({ db: service, clock, random, log }, clientSecret);
  const generate = () => toBase64url(random(32));
  const keys = {
    journalKey: await findOrCreateSecret(db, 'journal-key', generate),
    secondFactorKey: await findOrCreateSecret(db, 'second-factor-key', generate),
  };
  const signIn = createSignIn({ db, clock, random, userAgent });

  const openBff = (tabBff: Omit<TabBff, 'bff'>, time = clock): Bff => {
    const setSession = (id: string | null) => {
      tabBff.session = id;
      return '';
    };
    return createBff({
      ...keys,
      db,
      clock: time,
      random,
      passwords,
      upstream: {
        ...upstream,
        exchange: withServiceFaults(upstream.exchange, {
          isOn: (fault) => tabBff.faults.includes(fault),
          chance: () => (random(1)[0] ?? 0) / 256,
        }),
      },
      transport: {
        kind: 'tab',
        userAgent,
        cookie: { read: () => tabBff.session, set: setSession, clear: () => setSession(null) },
      },
      pages: async () => new Response(null, { status: 404 }),
      playlistUrlTemplate: 'https://tv.example/playlist/{token}.m3u8',
      log,
    });
  };
  const createTabBff = (session: string | null, time = clock): TabBff => {
    const tabBff = { session, faults: [] };
    return Object.assign(tabBff, { bff: openBff(tabBff, time) });
  };
  const tabBffs = new Map<string, TabBff>();
  const tabBffOf = ({ tab, session, faults }: CallingTab): TabBff => {
    const tabBff = tabBffs.get(tab) ?? createTabBff(session);
    tabBffs.set(tab, tabBff);
    return Object.assign(tabBff, { faults });
  };

  const calls = {
    async fetch(caller: CallingTab, { url, method, headers, body }: PlainRequest): Promise<Response> {
      return tabBffOf(caller).bff.fetch(new Request(url, { method, headers, body }));
    },
    async viewAs(caller: CallingTab, role: Role): Promise<void> {
      const tabBff = tabBffOf(caller);
      tabBff.session = await signIn.start(names[role], tabBff.session);
    },
    async endSession(caller: CallingTab): Promise<void> {
      const tabBff = tabBffOf(caller);
      if (tabBff.session !== null) await signIn.end(tabBff.session);
      tabBff.session = null;
    },
    async editAsColleague(_: CallingTab, id: number): Promise<void> {
      const { bff } = createTabBff(await signIn.start(colleague));
      await editAsColleague(createServiceClient(bff.fetch, origin), id);
    },
    async moveClock(_: CallingTab, days: number): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await moveSessions(tx, clock(), (days - about.days) * day);
        await tx.withTables<DemoTables>().updateTable('demo').set({ days }).execute();
      });
      about.days = days;
    },
    /** The link that the subscriber's players use. */
    async playlistLink(_: CallingTab, id: number): Promise<string> {
      const ofId = service.selectFrom('subscribers').select('access_token').where('id', '=', id);
      return `https://tv.example/${(await ofId.executeTakeFirst())?.access_token ?? ''}/playlist.m3u8`;
    },
  };
  const { bff } = createTabBff(null);
  // Jobs go on at once that a backend was working on, which was closed.
  await db.updateTable('jobs').set({ lease_until: 0 }).execute();
  return {
    about: (): About => ({ id: about.id, data: about.data, days: about.days, isStored }),
    calls,
    async userOf(caller: CallingTab): Promise<User> {
      const role = await signIn.roleOf(tabBffOf(caller).session);
      return { session: tabBffOf(caller).session, role };
    },
    runMaintenance: bff.runMaintenance,
    /** Writes what colleagues did in the two weeks before, into data that nobody has seen yet. */
    async writeHistory(): Promise<void> {
      const begin = clock();
      let time = begin;
      const tabBff = createTabBff(null, () => time);
      // Each time anew: at their own time, people would be signed out between two changes.
      const clientOf = (name: string) =>
        createServiceClient(async (request) => {
          const session = await signIn.start(name);
          await signIn.moveTo(session, time);
          tabBff.session = session;
          return tabBff.bff.fetch(request).finally(() => signIn.end(session));
        }, origin);
      for (const step of await planHistory(service, about.data, begin))
        await step({ clientOf, moveTo: (next) => void (time = next) });
    },
  };
}
