import { useId } from 'react';
import { faults, type Fault } from './settings.ts';
import styles from './bar.module.css';

/** What can be made to go wrong, behind one button that says how much of it does. */
export function FaultSwitches({
  on,
  turn,
}: {
  on: readonly Fault[];
  turn: (fault: Fault, on: boolean) => void;
}) {
  const id = useId();
  // Object.keys forgets that they are those of the record.
  const all = Object.keys(faults) as Fault[];
  return (
    <>
      <button type="button" className={styles.button} popoverTarget={id} data-on={on.length > 0}>
        {on.length === 0 ? 'Faults' : `Faults: ${on.length} on`}
      </button>
      <div id={id} popover="auto" role="group" aria-label="What goes wrong" className={styles.switches}>
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
