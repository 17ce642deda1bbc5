import { apiBase, bffBase } from '../contract/bff/paths.ts';
import type { Role } from '../contract/bff/permission.ts';
import { connectBackend, type Call } from './channel.ts';
import { withPageFaults, type LocalFetch } from './faults.ts';
import type { Fault } from './settings.ts';
import { currentStep, type DemoState, type TabState } from './state.ts';

interface DemoParts {
  /** The channel on which the backend is served that the tab shows. */
  channel: BroadcastChannel;
  state: DemoState;
  /** State that the page before has stored. */
  before: TabState | null;
  present: Present;
  /** Called when this tab or another has moved the clock. */
  onClockMoved: () => void;
  wait: (ms: number) => Promise<void>;
}

export type Demo = ReturnType<typeof openDemo>;

const day = 24 * 60 * 60_000;

/** One tab of the demo: its user, the faults that it meets, and the scenario that is played in it. */
export function openDemo({ channel, state, before, present, onClockMoved, wait }: DemoParts) {
  const tab = crypto.randomUUID();
  const requested = state.get();
  let isFirst = true;
  let moved = Promise.resolve();
  const moveTo = (days: number) => {
    if (days === state.get().days) return;
    present.move((days - state.get().days) * day);
    state.change({ days });
    onClockMoved();
  };
  const backend = connectBackend(channel, {
    caller() {
      const { session, faults } = state.get();
      return { tab, session, faults };
    },
    async onBackend({ id, data, days, isStored }, call: Call) {
      // What the address says now is done once, and not again when the clock was moved by it.
      const isOther = (name: 'role' | 'days') =>
        isFirst && before !== null && before[name] !== requested[name];
      const mustSignIn = id !== state.get().dataId || isOther('role');
      const mustMove = isOther('days');
      isFirst = false;
      moveTo(days);
      state.change({ dataId: id, data, isStored });
      if (mustSignIn) await call('viewAs', state.get().role);
      if (mustMove) await call('moveClock', requested.days);
    },
    onUser({ session, role }) {
      const now = { session, role: role ?? state.get().role };
      if (session !== state.get().session || now.role !== state.get().role) state.change(now);
    },
  });
  const turn = (fault: Fault, on: boolean) => {
    const others = state.get().faults.filter((other) => other !== fault);
    state.change({ faults: on ? [...others, fault] : others });
  };
  const see = (line: string) => {
    if (currentStep(state.get())?.until.test(line)) state.change({ step: state.get().step + 1 });
  };
  const pageFetch = withPageFaults(backend.fetch, {
    isOn: (fault) => state.get().faults.includes(fault),
    turnOff: (fault) => turn(fault, false),
    wait,
    endSession: () => backend.call('endSession'),
    editMeanwhile: (id) => backend.call('editAsColleague', id),
  });
  const fetch: LocalFetch = async (request) => {
    const { method, url } = request;
    const { pathname } = new URL(url);
    if (isChange(method, pathname)) state.change({ touched: true });
    const answer = await pageFetch(request);
    see(`${method} ${pathname} ${answer.status}`);
    return answer;
  };
  return {
    /** Answers the page's requests like the BFF, with the faults that are on. */
    fetch,
    untilReady: backend.untilReady,
    state,
    turn,
    /** Ticks off the step of the scenario that this line shows to be done; see `Step`. */
    see,
    skipStep: () => state.change({ step: state.get().step + 1 }),
    endScenario: () => state.change({ scenario: 'none', step: 0, faults: [] }),
    viewAs: (role: Role) => backend.call('viewAs', role),
    /** Each move waits for the one before, which says where it begins. */
    moveClock: (days: number) =>
      (moved = moved.then(() => backend.call('moveClock', state.get().days + days))),
    playlistLink: (id: number) => backend.call('playlistLink', id),
  };
}

/** True if a request changes something that starting over loses. Finding a token and signing in do not. */
const isChange = (method: string, path: string) =>
  method !== 'GET' && (path.startsWith(apiBase) || path.startsWith(`${bffBase}/jobs`));

/** The time of this tab, for the BFF, the service and the dashboard. */
type Present = ReturnType<typeof installShiftedDate>;

/** Replaces the global `Date` by one whose current time can be moved; all other dates stay the same. */
export function installShiftedDate(ahead: number) {
  const RealDate = Date;
  const now = () => RealDate.now() + ahead;
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, given: unknown[], target) =>
      Reflect.construct(real, given.length === 0 ? [now()] : given, target) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (real, key, self) => (key === 'now' ? now : (Reflect.get(real, key, self) as unknown)),
  });
  return {
    /** Number of ms that it is ahead of the real time. */
    ahead: () => ahead,
    move(ms: number) {
      ahead += ms;
    },
  };
}
