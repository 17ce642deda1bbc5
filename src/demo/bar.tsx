import { useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { roleNames } from '../app/api/role-names.ts';
import type { Role } from '../contract/bff/permission.ts';
import { Choice } from './choice.tsx';
import { FaultSwitches } from './fault-switches.tsx';
import { names } from './people.ts';
import { dataSets, faults, type DataSet, type Fault } from './settings.ts';
import type { Shown, State } from './state.ts';
import styles from './bar.module.css';

export interface BarProps {
  state: State;
  turn: (fault: Fault, on: boolean) => void;
  viewAs: (role: Role) => Promise<void>;
  moveClock: (days: number) => Promise<void>;
  startOver: (data: DataSet) => void;
  /** A link to a demo like this one. */
  link: () => string;
}

/** Makes the bar's place above the dashboard, where it says what is under way until it is there itself. */
export async function announceBar(data: string): Promise<HTMLElement> {
  const place = document.createElement('div');
  const word = document.createElement('p');
  word.className = styles.bar ?? '';
  word.textContent = `Preparing the demo (${data}) …`;
  place.append(word);
  document.body.prepend(place);
  // SQLite keeps the page from being painted until it is done. A page in the background is not painted at all.
  await new Promise((painted) => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 200);
  });
  return place;
}

/** Puts the bar into its place. In the page and not over it, it covers nothing. */
export function mountBar(place: HTMLElement, props: BarProps): void {
  createRoot(place).render(<Bar {...props} />);
  // The dashboard's column is as high as the window; beneath the bar there is less room.
  new ResizeObserver(() =>
    document.documentElement.style.setProperty('--demo-bar', `${place.offsetHeight}px`),
  ).observe(place);
}

/** What is no part of the product: who one is, what there is, what goes wrong and what time it is. */
function Bar(props: BarProps) {
  const shown = useSyncExternalStore(props.state.subscribe, props.state.get);
  const [open, setOpen] = useState(() => matchMedia('(min-width: 1180px)').matches);
  return (
    <section className={styles.bar} aria-label="Demo">
      <div className={styles.head}>
        <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
          Demo
        </button>
        {!open && <p className={styles.summary}>{summaryOf(shown)}</p>}
      </div>
      {open && <Controls {...props} shown={shown} />}
      <p role="status" className={styles.advice}>
        {adviceFor(shown)}
      </p>
    </section>
  );
}

function Controls({ shown, turn, viewAs, moveClock, startOver, link }: BarProps & { shown: Shown }) {
  const [next, setNext] = useState(shown.data);
  return (
    <div className={styles.controls}>
      <Choice<Role | 'nobody'>
        label="View as"
        value={shown.signedIn ? shown.role : 'nobody'}
        choices={shown.signedIn ? people : { nobody: 'Nobody', ...people }}
        onChoose={(role) => role !== 'nobody' && void viewAs(role)}
      />
      <FaultSwitches on={shown.faults} turn={turn} />
      <div className={styles.group} role="group" aria-label="Clock">
        <span className={styles.label}>{clockName(shown.days)}</span>
        {leaps.map(([name, days]) => (
          <button type="button" key={name} className={styles.button} onClick={() => void moveClock(days)}>
            <span className="visually-hidden">Move the clock ahead by a </span>+{name}
          </button>
        ))}
      </div>
      <CopyLink link={link} />
      <div className={styles.group}>
        <Choice label="Data" value={next} choices={dataSets} onChoose={setNext} />
        <button
          type="button"
          className={styles.button}
          data-on={next !== shown.data}
          onClick={() => startOver(next)}
        >
          Start over
        </button>
      </div>
    </div>
  );
}

function CopyLink({ link }: Pick<BarProps, 'link'>) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(link()).then(
      () => setCopied(true),
      // A browser may refuse the clipboard to a page; a person it does not.
      () => prompt('Copy this link:', link()),
    );
  return (
    <button
      type="button"
      className={styles.button}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
    >
      {copied ? 'Link copied' : 'Copy link'}
    </button>
  );
}

const people = {
  viewer: `${roleNames.viewer} (${names.viewer})`,
  support: `${roleNames.support} (${names.support})`,
  manager: `${roleNames.manager} (${names.manager})`,
};

const leaps = [
  ['day', 1],
  ['week', 7],
  ['month', 30],
] as const;

const clockName = (days: number) => (days === 0 ? 'Clock: now' : `Clock: ${days} days ahead`);

function summaryOf({ role, data, faults: on, days }: Shown): string {
  const wrong = on.map((fault) => faults[fault].name).join(', ');
  const parts = [roleNames[role], dataSets[data], days === 0 ? '' : clockName(days), wrong];
  return parts.filter((part) => part !== '').join(' · ');
}

function adviceFor({ signedIn, isKept }: Shown): string {
  const all = Object.values(names).join(', ');
  if (!signedIn) return `Nobody is signed in. Any password opens ${all}; or choose under “View as”.`;
  if (!isKept)
    return 'This browser keeps nothing more for the demo. What you change is gone once the page is reloaded.';
  return '';
}
