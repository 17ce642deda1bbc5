import type { ComponentProps } from 'react';

/** A value that can be chosen, and its text. */
export interface Option {
  value: string | number;
  label: string;
}

/** A choice of one value; without a label of its own, it needs an `aria-label`. */
export function Select({ options, ...select }: ComponentProps<'select'> & { options: readonly Option[] }) {
  return (
    <select {...select}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
