import { useId, type ComponentProps } from 'react';

/** A check box with its label beside it. */
export function CheckBox({ children, ...box }: ComponentProps<'input'>) {
  return (
    <label className="choice">
      <input type="checkbox" {...box} />
      {children}
    </label>
  );
}

/** One of a few choices, all of them in sight. */
export function RadioGroup<T extends string>(props: {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  /** Side by side, for short labels. */
  inline?: boolean;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend>{props.label}</legend>
      <div className={props.inline ? 'row' : undefined}>
        {props.options.map(({ value, label }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
