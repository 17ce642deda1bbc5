import { useRef, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { AppContext, type App } from '../app/components/app-context.ts';
import { ConfirmDialog } from '../app/components/confirm-dialog.tsx';
import { createPreference } from '../app/components/preference.ts';
import { Bar, type BarProps } from './bar.tsx';
import { Card, Steps } from './guide.tsx';
import { dataSets, type DataSet, type ScenarioName } from './settings.ts';
import styles from './bar.module.css';

/** Creates the element of the bar above the dashboard, with a text until the bar is rendered. */
export async function announceBar(data: string): Promise<HTMLElement> {
  const element = document.createElement('div');
  const text = document.createElement('p');
  text.className = styles.bar ?? '';
  text.textContent = `Preparing the demo (${data})…`;
  element.append(text);
  document.body.prepend(element);
  // SQLite will block painting. A page in the background is never painted, hence the timeout.
  await new Promise((painted) => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 200);
  });
  return element;
}

/** Renders the bar into its element, and below it the card with the scenarios. */
export function mountBar(element: HTMLElement, app: App, props: BarProps): void {
  element.className = styles.mount ?? '';
  createRoot(element).render(
    <AppContext value={app}>
      <DemoParts {...props} />
    </AppContext>,
  );
}

/** Whether the card was hidden, here or on an earlier visit. */
const hidden = createPreference('demo-card-hidden', (stored) => stored === 'true');

/** What starting over is asked about: with which data set, or for which scenario. */
type Restart = { data: DataSet } | { scenario: ScenarioName };

function DemoParts(props: BarProps) {
  const shown = useSyncExternalStore(props.state.subscribe, props.state.get);
  const [restart, setRestart] = useState<Restart | null>(null);
  const [isCardOpen, setCardOpen] = useState(() => shown.scenario === 'none' && !hidden.get());
  const toggle = useRef<HTMLButtonElement>(null);
  const start = (given: Restart) =>
    'data' in given ? props.startOver(given.data) : props.play(given.scenario);
  const ask = (given: Restart) => (shown.touched ? setRestart(given) : start(given));
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
        startOver={(data) => setRestart({ data })}
        scenarios={
          <button
            ref={toggle}
            type="button"
            className={styles.button}
            aria-expanded={isCardOpen}
            onClick={() => showCard(!isCardOpen)}
          >
            Scenarios
          </button>
        }
        steps={<Steps {...props} shown={shown} showCard={() => showCard(true)} />}
      />
      {isCardOpen && <Card play={(scenario) => ask({ scenario })} hide={() => showCard(false)} />}
      {restart && (
        <ConfirmDialog
          title="Start the demo over"
          action="Start over"
          onSubmit={() => start(restart)}
          onClose={() => setRestart(null)}
        >
          <p>
            {'data' in restart
              ? `The demo will have this data: ${dataSets[restart.data]}. `
              : `The scenario begins with new data. `}
            {shown.touched ? 'What you changed in the demo will be gone.' : 'You have changed nothing yet.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
