import { useState } from 'react';
import { copyText } from '../app/components/copy-button.tsx';
import type { Demo } from './demo.ts';
import { currentStep, type TabState } from './state.ts';
import type { Role } from '../contract/bff/permission.ts';
import { scenarioNames, type ScenarioName } from './settings.ts';
import { scenarios } from './scenarios.ts';
import styles from './guide.module.css';

const uses: Readonly<Record<Role, string>> = {
  viewer: 'Viewers look subscribers up, and see why they can’t watch.',
  support: 'Support staff find a subscriber while the caller waits, see why they can’t watch, and fix it.',
  manager: 'Managers filter expired trials, or anybody else, and act on one or on thousands.',
};

/** Says what the demo is and who uses it, and offers the scenarios, first those of the role that is shown. */
export function Card(props: { role: Role; play: (scenario: ScenarioName) => void; hide: () => void }) {
  const isOthers = (name: ScenarioName) => Number(scenarios[name].stage.role !== props.role);
  const offered = scenarioNames.toSorted((a, b) => isOthers(a) - isOthers(b));
  return (
    <section className={styles.card} aria-labelledby="demo-card">
      <div className={styles.intro}>
        <h2 id="demo-card">This is a demo of Subscriber Desk</h2>
        <p>
          {uses[props.role]} All of it runs in this browser, and everybody in it is made up: change and delete
          what you like.{' '}
          <span className={styles.more}>
            Play one of these scenarios, or look around. In a second tab you can be somebody else. Where a
            password is asked for, any will do.
          </span>
        </p>
        <button type="button" className={styles.button} onClick={props.hide}>
          Hide
        </button>
      </div>
      <ul className={styles.scenarios}>
        {offered.map((name) => (
          <li key={name} className={styles.scenario}>
            <button type="button" aria-describedby={`demo-${name}`} onClick={() => props.play(name)}>
              {scenarios[name].title}
            </button>
            <p id={`demo-${name}`}>{scenarios[name].about}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The scenario that is played: what to do now. */
export function Steps({ demo, shown, showCard }: { demo: Demo; shown: TabState; showCard: () => void }) {
  if (shown.scenario === 'none') return null;
  const { title, steps } = scenarios[shown.scenario];
  const step = currentStep(shown);
  const playlistOf = step?.playlistOf;
  // It stays until the next one is done: some steps are done before anybody has read them.
  const before = steps[shown.step - 1];
  return (
    <section className={styles.steps} aria-label={`Scenario: ${title}`}>
      <div className={styles.texts}>
        {before && <p className={styles.before}>✓ {before.text}</p>}
        <p role="status">
          <strong>{step ? `${shown.step + 1} of ${steps.length}` : 'Done'}</strong>{' '}
          {step ? step.text : `That was “${title}”. What you changed is still there.`}
        </p>
        {step && <p className={styles.say}>Say: “{step.say}”</p>}
      </div>
      {playlistOf !== undefined && (
        <CopyButton text={() => demo.playlistLink(playlistOf)} name="Copy playlist link" />
      )}
      {step ? (
        <button type="button" className={styles.button} onClick={demo.skipStep}>
          Skip
        </button>
      ) : (
        <button type="button" className={styles.button} onClick={showCard}>
          Other scenarios
        </button>
      )}
      <button type="button" className={styles.button} onClick={demo.endScenario}>
        End
      </button>
    </section>
  );
}

/** Copies a link. */
export function CopyButton({ text, name }: { text: () => Promise<string>; name: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if ((await copyText(text)) === 'copied') setCopied(true);
    // The browser may block the clipboard for the page, but not for the user.
    else prompt('Copy this link:', await text());
  };
  return (
    <button
      type="button"
      className={styles.button}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
    >
      {copied ? 'Link copied' : name}
    </button>
  );
}
