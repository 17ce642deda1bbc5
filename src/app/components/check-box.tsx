import type { ComponentProps } from 'react';

/** A check box with its label beside it. */
export function CheckBox({ children, ...box }: ComponentProps<'input'>) {
  return (
    <label className="choice">
      <input type="checkbox" {...box} />
      {children}
    </label>
  );
}
