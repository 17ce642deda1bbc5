import { useEffect, useRef } from 'react';
import type { Command } from '../../components/commands.ts';
import styles from './palette.module.css';

/** What can be chosen, in groups; the focus stays in the box above, which names the present one. */
export function Choices(props: {
  id: string;
  choices: readonly Command[];
  present: Command | undefined;
  idOf: (command: Command) => string;
  onChoose: (command: Command) => void;
}) {
  const { id, choices, present, idOf } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div ref={list} id={id} role="listbox" aria-label="Commands and subscribers" className={styles.choices}>
      {[...Map.groupBy(choices, ({ about }) => about)].map(([about, group], place) => (
        <div key={about} role="group" aria-labelledby={`${id}-group-${place}`}>
          <div id={`${id}-group-${place}`} role="presentation" className={styles.about}>
            {about}
          </div>
          {group.map((command) => (
            // The keyboard chooses by the box, as the pattern has it; a press must not take the focus from there.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={command.name}
              id={idOf(command)}
              role="option"
              aria-selected={command === present}
              className={styles.choice}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => props.onChoose(command)}
            >
              {command.name}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
