import { useId, useState, type ReactNode } from 'react';
import { roleNames } from '../app/api/session.ts';
import { counted } from '../app/components/count.ts';
import type { Role } from '../contract/bff/permission.ts';
import { CopyButton } from './guide.tsx';
import { names } from './people.ts';
import { dataSets, faults, type DataSet, type Fault, type ScenarioName } from './settings.ts';
import type { DemoState, ShownState } from './state.ts';
import styles from './bar.module.css';

export interface BarProps {
  state: DemoState;
  turn: (fault: Fault, on: boolean) => void;
  viewAs: (role: Role) => Promise<void>;
  moveClock: (days: number) => Promise<void>;
  startOver: (data: DataSet) => void;
  /** Starts over with the stage of a scenario. */
  play: (scenario: ScenarioName) => void;
  skipStep: () => void;
  endScenario: () => void;
  playlistLink: (id: number) => Promise<string>;
  /** A link to a demo like this one. */
  link: () => string;
}

/** The height of the bar, which the dashboard leaves free. */
const watchHeight = (element: HTMLElement | null) => {
  if (!element) return undefined;
  const observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--demo-bar', `${element.offsetHeight}px`),
  );
  observer.observe(element);
  return () => observer.disconnect();
};

/** The controls of the demo: user, data, faults and clock. */
export function Bar(props: BarProps & { shown: ShownState; scenarios: ReactNode; steps: ReactNode }) {
  const { shown } = props;
  const [open, setOpen] = useState(() => matchMedia('(min-width: 1180px)').matches);
  return (
    <section ref={watchHeight} className={styles.bar} aria-label="Demo">
      <div className={styles.head}>
        <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
          Demo
        </button>
        {props.scenarios}
        {!open && <p className={styles.summary}>{summaryOf(shown)}</p>}
      </div>
      {open && <Controls {...props} shown={shown} />}
      <p role="status" className={styles.advice}>
        {adviceFor(shown)}
      </p>
      {props.steps}
    </section>
  );
}

function Controls({ shown, turn, viewAs, moveClock, startOver, link }: BarProps & { shown: ShownState }) {
  return (
    <div className={styles.controls}>
      <Choice<Role | 'nobody'>
        label="View as"
        value={shown.signedIn ? shown.role : 'nobody'}
        choices={shown.signedIn ? people : { nobody: 'Signed out', ...people }}
        onChoose={(role) => role !== 'nobody' && void viewAs(role)}
      />
      <FaultSwitches on={shown.faults} turn={turn} />
      <div className={styles.group} role="group" aria-label="Clock">
        <span className={styles.label}>{clockName(shown.days)}</span>
        {leaps.map(([name, days]) => (
          <button type="button" key={name} className={styles.button} onClick={() => void moveClock(days)}>
            <span className="visually-hidden">Move the clock ahead: </span>+{name}
          </button>
        ))}
      </div>
      <CopyButton text={() => Promise.resolve(link())} name="Copy link" />
      <div className={styles.group}>
        <Choice label="Data" value={shown.data} choices={dataSets} onChoose={startOver} />
        <button type="button" className={styles.button} onClick={() => startOver(shown.data)}>
          Start over
        </button>
      </div>
    </div>
  );
}

/** The faults to turn on, behind one button that says how many are on. */
function FaultSwitches({ on, turn }: { on: readonly Fault[]; turn: (fault: Fault, on: boolean) => void }) {
  const id = useId();
  // Object.keys loses the type of the keys.
  const all = Object.keys(faults) as Fault[];
  return (
    <>
      <button type="button" className={styles.button} popoverTarget={id} data-on={on.length > 0}>
        {on.length === 0 ? 'Faults' : `Faults: ${on.length} on`}
      </button>
      <div id={id} popover="auto" role="group" aria-label="Faults" className={styles.switches}>
        {all.map((fault) => (
          <label key={fault} className={styles.switch}>
            <input
              type="checkbox"
              checked={on.includes(fault)}
              onChange={(event) => turn(fault, event.target.checked)}
            />
            <span>
              {faults[fault].name} <span className={styles.does}>{faults[fault].does}</span>
            </span>
          </label>
        ))}
      </div>
    </>
  );
}

/** A select with a label. */
function Choice<T extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  label: string;
  value: T;
  choices: Readonly<Partial<Record<T, string>>>;
  onChoose: (value: T) => void;
}) {
  const id = useId();
  // Object.keys loses the type of the keys.
  const values = Object.keys(choices) as T[];
  return (
    <div className={styles.group}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.button}
        value={value}
        onChange={(event) => {
          const chosen = values.find((one) => one === event.target.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {choices[one]}
          </option>
        ))}
      </select>
    </div>
  );
}

const people = {
  viewer: `${roleNames.viewer} (${names.viewer})`,
  support: `${roleNames.support} (${names.support})`,
  manager: `${roleNames.manager} (${names.manager})`,
};

const leaps = [
  ['1 day', 1],
  ['1 week', 7],
  ['1 month', 30],
] as const;

const clockName = (days: number) => `Clock: ${days === 0 ? 'now' : `${counted(days, 'day')} ahead`}`;

function summaryOf({ role, data, faults: on, days }: ShownState): string {
  const wrong = on.map((fault) => faults[fault].name).join(', ');
  const parts = [roleNames[role], dataSets[data], days === 0 ? '' : clockName(days), wrong];
  return parts.filter((part) => part !== '').join(' · ');
}

function adviceFor({ signedIn, isKept }: ShownState): string {
  const { viewer, support, manager } = names;
  const anyone = `${viewer}, ${support} or ${manager}`;
  if (!signedIn)
    return `You’re signed out. Sign in as ${anyone} with any password, or choose a role under “View as”.`;
  if (!isKept)
    return 'This browser’s storage is full or blocked, so your changes will be lost when you reload the page.';
  return '';
}
