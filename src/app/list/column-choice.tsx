import { CheckBox } from '../components/field.tsx';
import { usePreference } from '../components/preference.ts';
import { hiddenColumns } from '../subscriber/list-address.ts';
import { columns } from './subscriber-table.tsx';

/**
 * A check box for each column. The username names the row, so it cannot be hidden; it is here so that nobody looks for it. The
 * choice is stored in this browser, and applies to every list at once, but for views that have their own.
 */
export function ColumnChoice() {
  const hidden = usePreference(hiddenColumns).split(' ').filter(Boolean);
  return (
    <>
      <CheckBox checked disabled readOnly>
        Username
      </CheckBox>
      {columns.map(({ name, label }) => (
        <CheckBox
          key={name}
          checked={!hidden.includes(name)}
          onChange={({ target }) => {
            const others = hidden.filter((one) => one !== name);
            hiddenColumns.set((target.checked ? others : [...others, name]).join(' '));
          }}
        >
          {label}
        </CheckBox>
      ))}
    </>
  );
}
