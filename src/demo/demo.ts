import { apiBase, bffBase } from '../contract/bff/paths.ts';
import type { Role } from '../contract/bff/permission.ts';
import { connect, type Connection, type Tab } from './connection.ts';
import { createColleagueEdit, createServiceClient, withPageFaults, type Fetch } from './faults.ts';
import type { Kept, Memory } from './memory.ts';
import { colleague } from './people.ts';
import type { Fault, Settings } from './settings.ts';
import { createState, currentStep, type DemoState } from './state.ts';
import type { Access, TabListener } from './tabs.ts';

interface DemoParts extends Pick<Tab, 'store' | 'present' | 'origin' | 'random'> {
  settings: Settings;
  /** What an earlier page load of this tab stored. */
  kept: Kept | null;
  memory: Memory;
  /** The id of the data. */
  dataId: string;
  /** Joins the tabs that show the same data. */
  join: (listener: TabListener) => void;
  /** Called when this tab or another has moved the clock. */
  onClockMoved?: () => void;
  wait: (ms: number) => Promise<void>;
}

export interface Demo {
  /** Answers the page's requests like the BFF, with the faults that are on. */
  fetch: Fetch;
  state: DemoState;
  viewAs: (role: Role) => Promise<void>;
  turn: (fault: Fault, on: boolean) => Promise<void>;
  moveClock: (days: number) => Promise<void>;
  /** Ticks off the step of the scenario that this line shows to be done; see `Step`. */
  see: (line: string) => void;
  /**
   * Writes what colleagues did in the last two weeks, in a new demo, or the rest of it after a reload. That takes a second
   * or two, so the first view does not wait. The tab that leads does it.
   *
   * @param pause called again and again, to let the page do something in between
   * @returns whether there is something new to see
   */
  writeHistory: (pause: () => Promise<unknown>) => Promise<boolean>;
  endScenario: () => Promise<void>;
  /** The link that the subscriber's players use. */
  playlistLink: (id: number) => Promise<string>;
  /** Stores the state of the demo for the next page load. */
  keep: () => Promise<void>;
  /** Deletes what is stored, before the tab starts over. */
  forget: () => Promise<void>;
  /** To be called about every minute. */
  runMaintenance: () => Promise<void>;
}

const day = 24 * 60 * 60_000;

/** Opens the demo in this tab: its data, its BFF and service, its user, and the faults that it meets. */
export async function openDemo(parts: DemoParts): Promise<Demo> {
  const { settings, kept, memory, present, dataId } = parts;
  const { step, touched } = kept ?? { step: 0, touched: false };
  const state = createState({ ...settings, step, touched, signedIn: kept?.session !== null });
  const turn = (fault: Fault, on: boolean) => {
    const others = state.get().faults.filter((other) => other !== fault);
    state.change({ faults: on ? [...others, fault] : others });
  };
  const keepTab = () => {
    const { signedIn: _, isKept: __, step: done, touched: changed, ...now } = state.get();
    return memory.write({ dataId, settings: now, step: done, touched: changed, session: tab.session });
  };
  const tab: Tab = {
    ...parts,
    state,
    session: kept?.session ?? null,
    asksForClock: kept !== null && kept.settings.days !== settings.days,
    switches: {
      isOn: (fault) => state.get().faults.includes(fault),
      turnOff: (fault) => turn(fault, false),
    },
    moveTo(days) {
      present.move((days - state.get().days) * day);
      state.change({ days });
      keepTab();
      parts.onClockMoved?.();
    },
  };
  let pause: (() => Promise<unknown>) | null = null;
  const link = createLink(parts.join, tab, async (connection, isFirst) => {
    const { data, isNew, people, bff } = connection;
    if (data.facts.days !== state.get().days) tab.moveTo(data.facts.days);
    state.change({ data: data.facts.data });
    if (isNew || (isFirst && kept?.settings.role !== settings.role)) {
      await people.viewAs(state.get().role);
      await keepBy(connection);
    }
    tab.asksForClock = false;
    if (isFirst) return;
    void bff().runMaintenance();
    if (pause) void writeHistory(connection, pause);
  });
  const writeHistory = async (connection: Connection, given: () => Promise<unknown>) => {
    pause = given;
    const isNew = await connection.writeHistory(given);
    if (isNew) await keepBy(connection);
    return isNew;
  };

  const keepBy = async ({ people, data }: Connection) => {
    // Another user may have signed in, or the role may have changed.
    const role = await people.role();
    if (role !== null && role !== state.get().role) state.change({ role });
    const isKept = keepTab();
    state.change({ isKept: (await data.keep()) && isKept });
  };
  const keep = async () => keepBy(await link.connection());
  const see = (line: string) => {
    const { step: done } = state.get();
    if (currentStep(state.get())?.until.test(line)) state.change({ step: done + 1 });
  };
  const pageFetch = withPageFaults((request) => link.fetch(request, keepBy), {
    ...tab.switches,
    wait: parts.wait,
    async endSession() {
      await (await link.connection()).people.endSession();
      await keep();
    },
    async editMeanwhile(id) {
      const { people, bff } = await link.connection();
      const asColleague: Fetch = async (request) =>
        bff().fetch((await people.signInOther(colleague)).send(request));
      await createColleagueEdit(createServiceClient(asColleague, parts.origin))(id);
    },
  });
  await link.connection();
  return {
    async fetch(request) {
      const { method, url } = request;
      const { pathname } = new URL(url);
      if (isChange(method, pathname)) state.change({ touched: true });
      const answer = await pageFetch(request);
      see(`${method} ${pathname} ${answer.status}`);
      return answer;
    },
    state,
    see,
    writeHistory: async (given) => writeHistory(await link.connection(), given),
    async endScenario() {
      state.change({ scenario: 'none', step: 0, faults: [] });
      await keep();
    },
    async playlistLink(id) {
      const { serviceDb } = (await link.connection()).data;
      const ofId = serviceDb.selectFrom('subscribers').select('access_token').where('id', '=', id);
      return `https://tv.example/${(await ofId.executeTakeFirst())?.access_token ?? ''}/playlist.m3u8`;
    },
    async turn(fault, on) {
      turn(fault, on);
      await keep();
    },
    keep,
    forget: async () => (await link.connection()).data.forget(),
    runMaintenance: async () => (await link.connection()).bff().runMaintenance(),
    async viewAs(role) {
      await (await link.connection()).people.viewAs(role);
      state.change({ role });
      await keep();
    },
    async moveClock(days) {
      const { data } = await link.connection();
      await data.moveClockTo(state.get().days + days);
    },
  };
}

/**
 * The connection of a tab with its data: another one after the tab that had them was closed.
 *
 * @param prepare called before a connection is used
 */
function createLink(
  join: DemoParts['join'],
  tab: Tab,
  prepare: (connection: Connection, isFirst: boolean) => Promise<void>,
) {
  let now: { connection: Promise<Connection> } | null = null;
  const next = Promise.withResolvers<void>();
  const open = async (access: Access, isFirst: boolean) => {
    const connection = await connect(tab, access);
    await prepare(connection, isFirst);
    return connection;
  };
  let isFirst = true;
  join({
    onAccess(access) {
      now?.connection.then(({ bff }) => bff().stop()).catch(() => undefined);
      const connection = open(access, isFirst);
      connection.then(
        () => (isFirst = false),
        () => undefined,
      );
      now = { connection };
      next.resolve();
    },
    // The only news is by how many days the clock is ahead.
    onNews: (news) => tab.moveTo(Number(news)),
  });
  /** The newest one, also if it comes while this waits. */
  const use = async () => {
    await next.promise;
    for (;;) {
      const used = now;
      const found = await used?.connection.catch((error: unknown) => {
        if (used === now) throw error;
      });
      if (used === now && found) return { used, connection: found };
    }
  };
  return {
    connection: async () => (await use()).connection,
    /** @param keep stores what a request has changed */
    async fetch(request: Request, keep: (connection: Connection) => Promise<void>): Promise<Response> {
      const isRead = ['GET', 'HEAD'].includes(request.method);
      // A job goes on without requests.
      const isKept = !isRead || new URL(request.url).pathname.startsWith(jobsPath);
      for (;;) {
        const { used, connection } = await use();
        const answer = await connection.bff().fetch(isRead ? request.clone() : request);
        // Before the page gets the answer, because it may reload at once.
        if (isKept)
          await keep(connection).catch((error: unknown) => {
            if (used === now) throw error;
          });
        if (used === now) return answer;
        // Its data went while it was answered. Whoever changes something has to find out whether that was stored.
        if (!isRead) return Response.error();
      }
    },
  };
}

const jobsPath = `${bffBase}/jobs`;

/** Whether a request changes something that starting over loses. Finding a token and signing in do not. */
const isChange = (method: string, path: string) =>
  method !== 'GET' && (path.startsWith(apiBase) || path.startsWith(jobsPath));
