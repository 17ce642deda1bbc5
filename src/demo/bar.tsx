import { useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { roleNames } from '../app/api/session.ts';
import { counted } from '../app/components/format.ts';
import { ConfirmDialog } from '../app/components/dialog.tsx';
import { createPreference } from '../app/components/preference.ts';
import type { Role } from '../contract/bff/permission.ts';
import type { Demo } from './demo.ts';
import { Card, CopyButton, Steps } from './guide.tsx';
import { scenarios } from './scenarios.ts';
import {
  dataSets,
  faults,
  names,
  type DataSet,
  type Fault,
  type ScenarioName,
  type Settings,
} from './settings.ts';
import type { TabState } from './state.ts';
import styles from './bar.module.css';

/** Actions of the bar beyond its tab. */
interface BarProps {
  demo: Demo;
  viewAs: (role: Role) => Promise<void>;
  restart: (settings: Partial<Settings>) => void;
  /** A link to a demo with the settings of this one. */
  link: () => string;
}

/** True if the card was hidden, here or on an earlier visit. */
const hidden = createPreference('demo-card-hidden', (stored) => stored === 'true');

/** The bar above the dashboard, and below it the card with the scenarios. */
export function DemoParts(props: BarProps) {
  const { demo, restart } = props;
  const shown = useSyncExternalStore(demo.state.subscribe, demo.state.get);
  /** Settings to start over with, until the user confirms. */
  const [requested, setRequested] = useState<Partial<Settings> | null>(null);
  const [isCardOpen, setCardOpen] = useState(() => shown.scenario === 'none' && !hidden.get());
  const toggle = useRef<HTMLButtonElement>(null);
  const play = (scenario: ScenarioName) =>
    (shown.touched ? setRequested : restart)({ ...scenarios[scenario].stage, scenario });
  const showCard = (show: boolean) => {
    setCardOpen(show);
    hidden.set(!show);
    if (!show) toggle.current?.focus();
  };
  return (
    <>
      <Bar
        {...props}
        shown={shown}
        startOver={(data) => setRequested({ role: shown.role, data })}
        showCard={() => showCard(true)}
      >
        <button
          ref={toggle}
          type="button"
          className={styles.button}
          aria-expanded={isCardOpen}
          onClick={() => showCard(!isCardOpen)}
        >
          Scenarios
        </button>
      </Bar>
      {isCardOpen && <Card role={shown.role} play={play} hide={() => showCard(false)} />}
      {requested && (
        <ConfirmDialog
          title="Start the demo over"
          action="Start over"
          onSubmit={() => restart(requested)}
          onClose={() => setRequested(null)}
        >
          <p>
            {requested.data
              ? `The demo will have this data: ${dataSets[requested.data]}. `
              : 'The scenario begins with new data. '}
            {shown.touched ? 'What you changed in the demo will be gone.' : 'You have changed nothing yet.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
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

interface ControlsProps extends BarProps {
  shown: TabState;
  startOver: (data: DataSet) => void;
}

/** The bar, with the steps of the scenario that is played. */
function Bar(props: ControlsProps & { showCard: () => void; children: ReactNode }) {
  const { shown } = props;
  const [open, setOpen] = useState(() => matchMedia('(min-width: 1180px)').matches);
  return (
    <section ref={watchHeight} className={styles.bar} aria-label="Demo">
      <div className={styles.head}>
        <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
          Demo
        </button>
        {props.children}
        {!open && <p>{summaryOf(shown)}</p>}
      </div>
      {open && <Controls {...props} />}
      <p role="status" className={styles.advice}>
        {adviceFor(shown)}
      </p>
      <Steps {...props} />
    </section>
  );
}

/** The controls of the demo: user, data, faults and clock. */
function Controls({ demo, shown, viewAs, startOver, link }: ControlsProps) {
  const isSignedIn = shown.session !== null;
  return (
    <div className={styles.controls}>
      <Choice<Role | 'nobody'>
        label="View as"
        value={isSignedIn ? shown.role : 'nobody'}
        choices={isSignedIn ? people : { nobody: 'Signed out', ...people }}
        onChoose={(role) => role !== 'nobody' && void viewAs(role)}
      />
      <FaultSwitches on={shown.faults} turn={demo.turn} />
      <div className={styles.group} role="group" aria-label="Clock">
        <span>{clockName(shown.days)}</span>
        {leaps.map(([name, days]) => (
          <button
            type="button"
            key={name}
            className={styles.button}
            onClick={() => void demo.moveClock(days)}
          >
            <span className="visually-hidden">Move the clock ahead: </span>+{name}
          </button>
        ))}
      </div>
      <CopyButton text={async () => link()} name="Copy link" />
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
        {on.length === 0 ? 'What happens if…' : `What happens if… (${on.length} on)`}
      </button>
      <div id={id} popover="auto" role="group" aria-label="What happens if…" className={styles.switches}>
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
      <label htmlFor={id}>{label}</label>
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

function summaryOf({ role, data, faults: on, days }: TabState): string {
  const wrong = on.map((fault) => faults[fault].name).join(', ');
  const parts = [roleNames[role], dataSets[data], days === 0 ? '' : clockName(days), wrong];
  return parts.filter((part) => part !== '').join(' · ');
}

function adviceFor({ session, isStored }: TabState): string {
  const { viewer, support, manager } = names;
  const anyone = `${viewer}, ${support} or ${manager}`;
  if (session === null)
    return `You’re signed out. Sign in as ${anyone} with any password, or choose a role under “View as”.`;
  if (!isStored)
    return 'This browser’s storage is full or blocked, so your changes will be lost when you reload the page.';
  return '';
}
