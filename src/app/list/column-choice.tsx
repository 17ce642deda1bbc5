import { CheckBox } from '../components/check-box.tsx';
import { columns, hiddenColumns, useColumns } from './columns.tsx';

/**
 * A check box for each column of the list. The username names the row, so it cannot be hidden; it is here so that nobody
 * looks for it. The choice is kept in this browser, and applies to every list at once.
 */
export function ColumnChoice() {
  const shown = useColumns();
  return (
    <>
      <CheckBox checked disabled onChange={() => undefined}>
        Username
      </CheckBox>
      {columns.map(({ name, label }) => (
        <CheckBox
          key={name}
          checked={shown.some((column) => column.name === name)}
          onChange={(on) => showColumn(name, on)}
        >
          {label}
        </CheckBox>
      ))}
    </>
  );
}

/**
 * Shows or hides a column.
 *
 * @param name as in `columns`
 */
function showColumn(name: string, shown: boolean): void {
  const others = hiddenColumns
    .get()
    .split(' ')
    .filter((other) => other !== name && other !== '');
  hiddenColumns.set((shown ? others : [...others, name]).join(' '));
}
