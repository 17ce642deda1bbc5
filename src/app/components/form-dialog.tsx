import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import {
  get,
  useForm,
  useWatch,
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Acting } from './notice.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from './dialog.tsx';
import { DiscardDialog, LeaveGuard } from './leave-guard.tsx';

export type FormDialogProps<Input extends FieldValues, Output> = Omit<
  ConfirmDialogProps,
  'onSubmit' | 'children' | 'reason'
> & {
  acting: Acting;
  /** Checks the fields; what it makes of them is submitted. */
  schema: z.ZodMiniType<Output, Input>;
  values: DefaultValues<Input>;
  /** Asks before closing it, or leaving the page, discards what was entered. */
  asksBeforeLeaving?: boolean;
  /** Why what was entered cannot be submitted yet. */
  reasonFor?: (values: Input) => string | undefined;
  onSubmit: (values: Output) => void;
  children: (form: UseFormReturn<Input, unknown, Output>, bind: Bind<Input>) => ReactNode;
};

/** The value of a field, for a control that is no `<input>`. */
export type Bind<Input extends FieldValues> = <N extends FieldPath<Input>>(
  name: N,
) => { value: FieldPathValue<Input, N>; onChange: (value: FieldPathValue<Input, N>) => void };

/**
 * A dialog with fields: what a schema or the server refuses of one stands below it.
 *
 * @example
 * <FormDialog title="Add staff" action="Add account" schema={AddStaffBody} values={{ name: '', role: 'support' }}
 *   acting={adding} onSubmit={(body) => void adding.run({ body })} onClose={onClose}>
 *   {(form) => <InputField form={form} name="name" label="Name" />}
 * </FormDialog>
 */
export function FormDialog<Input extends FieldValues, Output>(props: FormDialogProps<Input, Output>) {
  const { schema, values, acting, children, onSubmit, onClose, asksBeforeLeaving = false, reasonFor } = props;
  const [isLeaving, setLeaving] = useState(false);
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues: values,
  });
  // All fields have a value from the beginning.
  const entered = useWatch({ control: form.control }) as Input;
  const bind: Bind<Input> = (name) => ({
    value: get(entered, name) as FieldPathValue<Input, typeof name>,
    onChange: (value) =>
      form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted }),
  });
  const isUnsaved = asksBeforeLeaving && form.formState.isDirty;
  const refused = Object.keys(acting.fields).filter((name) => Object.hasOwn(values, name));
  const showRefused = useEffectEvent((fields: typeof acting.fields) =>
    refused.forEach((name, index) =>
      form.setError(
        name as FieldPath<Input>,
        { type: 'server', message: fields[name]?.[0] ?? '' },
        { shouldFocus: index === 0 },
      ),
    ),
  );
  // Once for each answer.
  useEffect(() => showRefused(acting.fields), [acting.fields]);
  return (
    <>
      {/* Before the other: of two dialogs that close at once, the last returns the focus. */}
      {isLeaving && <DiscardDialog onKeep={() => setLeaving(false)} onDiscard={onClose} />}
      <ConfirmDialog
        {...props}
        reason={reasonFor?.(entered)}
        acting={refused.length > 0 ? { ...acting, failure: null } : acting}
        onSubmit={() => void form.handleSubmit(onSubmit)()}
        onClose={() => (isUnsaved ? setLeaving(true) : onClose())}
      >
        {children(form, bind)}
      </ConfirmDialog>
      {asksBeforeLeaving && <LeaveGuard isUnsaved={() => isUnsaved} />}
    </>
  );
}
