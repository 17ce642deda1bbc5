import { CheckBox } from '../../components/check-box.tsx';
import { Menu } from '../../components/menu.tsx';
import { columns, showColumn, useColumns } from './columns.tsx';

/** Chooses which columns the table has; the username names the row and stays. */
export function ColumnsButton() {
  const shown = useColumns();
  return (
    <Menu label="Columns" text="Columns">
      <CheckBox checked disabled onChange={() => undefined}>
        Username
      </CheckBox>
      {columns.map((column) => (
        <CheckBox
          key={column.name}
          checked={shown.includes(column)}
          onChange={(on) => showColumn(column.name, on)}
        >
          {column.label}
        </CheckBox>
      ))}
    </Menu>
  );
}
