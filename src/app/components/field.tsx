import { useId, type ComponentProps, type ReactNode } from 'react';
import type {
  FieldPath,
  FieldValues,
  RegisterOptions,
  UseFormRegisterReturn,
  UseFormReturn,
} from 'react-hook-form';
import { Select, type Option } from './select.tsx';
import styles from './field.module.css';

/** The attributes by which screen readers find the label, hint and error of a control. */
export interface FieldParts {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldTexts {
  label: string;
  hint?: ReactNode;
  /** A sentence that says what to enter instead. */
  error?: string | undefined;
}

/** A control with its label above, and its hint or error below. */
export function Field(props: FieldTexts & { children: (parts: FieldParts) => ReactNode }) {
  const id = useId();
  const { error, hint } = props;
  // A sentence gives its place to the error, so that nothing below moves.
  const isCovered = Boolean(error) && typeof hint === 'string';
  const described = [error && `${id}-error`, hint && !isCovered && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={`stack ${styles.field}`}>
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <div className={styles.below}>
        {error && (
          <p id={`${id}-error`} className="error">
            {error}
          </p>
        )}
        {hint && (
          <div id={`${id}-hint`} className="aside" data-covered={isCovered || undefined}>
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}

/** A form that the page sends, and whose fields it checks itself. */
export function Form({
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      noValidate
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

/** A field outside of a form's library: an `<input>` that hands out its text. */
export function TextField(
  props: FieldTexts & Omit<ComponentProps<'input'>, 'onChange'> & { onChange: (text: string) => void },
) {
  const { label, hint, error, onChange, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(parts) => (
        <input autoComplete="off" {...parts} {...input} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** A field of a form with its label and its error; an `<input>`, unless it has `options` or `children` make another control. */
export function InputField<Input extends FieldValues, Output>(
  props: Omit<ComponentProps<'input'>, 'children' | 'form' | 'name'> & {
    form: UseFormReturn<Input, unknown, Output>;
    name: FieldPath<Input>;
    label: string;
    hint?: ReactNode;
    register?: RegisterOptions<Input, FieldPath<Input>>;
    options?: readonly Option[];
    children?: (parts: FieldParts & UseFormRegisterReturn<FieldPath<Input>>) => ReactNode;
  },
) {
  const { form, name, label, hint, register, options, children, ...input } = props;
  const { error } = form.getFieldState(name, form.formState);
  return (
    <Field label={label} hint={hint} error={error?.message}>
      {(parts) => {
        const all = { ...parts, ...form.register(name, register) };
        if (options) return <Select options={options} {...all} />;
        return children ? children(all) : <input autoComplete="off" {...input} {...all} />;
      }}
    </Field>
  );
}

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
