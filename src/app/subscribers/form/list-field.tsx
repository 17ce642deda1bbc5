import { useController, type Control } from 'react-hook-form';
import type { ListName } from '../../../contract/service/subscriber.ts';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { Chips, type ChipsProps } from '../../components/chips.tsx';
import { Field } from '../../components/field.tsx';
import { fieldLabels } from '../fields/field-labels.ts';

type Element<N extends ListName> = SubscriberInput[N][number];

/** One of the four lists, entered value by value. */
export function ListField<N extends ListName>(
  props: {
    name: N;
    control: Control<SubscriberInput>;
    hint: string;
    /** What is unusual about the values, though they can be saved. */
    warn?: (values: SubscriberInput[N]) => string | undefined;
    onLeftover: (name: ListName, text: string) => void;
  } & Pick<ChipsProps<Element<N>>, 'read' | 'show' | 'separator' | 'placeholder' | 'suggestions'>,
) {
  const { name, control, hint, warn, onLeftover, ...reading } = props;
  const { field, fieldState } = useController({ control, name });
  const label = fieldLabels[name];
  return (
    <Field label={label} error={messageOf(fieldState.error)} warning={warn?.(field.value)} hint={hint}>
      {(parts) => (
        <Chips<Element<N>>
          {...reading}
          parts={parts}
          label={label}
          values={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          onLeftover={(text) => onLeftover(name, text)}
          inputRef={field.ref}
        />
      )}
    </Field>
  );
}

/** The sentence of the list itself, else of its first element at fault. */
function messageOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  return Object.values(error)
    .map(messageOf)
    .find((message) => message !== undefined);
}
