import * as z from 'zod/mini';
import { Bundle, isSameBundle, isSameName, type BundleList } from '../../contract/bff/bundle.ts';
import type { ApiError } from '../../contract/http/client.ts';
import { useAction } from '../api/use-action.ts';
import { CheckBox, InputField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Notice } from '../components/notice.tsx';

/** The usual words for a conflict are about a subscriber. */
export const bundleErrors = {
  describe: (error: ApiError) => (error.code === 'changed-meanwhile' ? error.message : undefined),
};

/** Adds a bundle at the end of the list, or changes one. */
export function BundleDialog(props: { bundle: Bundle | null; list: BundleList; onClose: () => void }) {
  const { bundle, list } = props;
  const others = list.bundles.filter(({ number }) => number !== bundle?.number);
  const present = list.bundles.find(({ number }) => number === bundle?.number);
  const saving = useAction('saveBundles', {
    ...bundleErrors,
    done: 'the bundle was saved',
    toast: bundle ? 'The bundle is saved.' : 'The bundle is added.',
    onDone: props.onClose,
  });
  return (
    <FormDialog
      title={bundle ? `Edit ${bundle.name}` : 'Add bundle'}
      action={bundle ? 'Save bundle' : 'Add bundle'}
      busyAction="Saving…"
      schema={schemaBeside(others)}
      values={bundle ? { ...bundle, number: String(bundle.number) } : { number: '', name: '', isSold: true }}
      acting={saving}
      notice={
        bundle &&
        !(present && isSameBundle(present, bundle)) && <Notice tone="bad">{changedText(present)}</Notice>
      }
      asksBeforeLeaving
      onSubmit={(entered) => {
        const index = list.bundles.findIndex(({ number }) => number === bundle?.number);
        const bundles = index === -1 ? [...list.bundles, entered] : list.bundles.with(index, entered);
        void saving.run({ body: { bundles, version: list.version } });
      }}
      onClose={props.onClose}
    >
      {(form) => (
        <>
          <div className="columns">
            <InputField
              form={form}
              name="number"
              label="Number"
              inputMode="numeric"
              hint="As the subscriber service has it."
            />
            <InputField form={form} name="name" label="Name" hint="As callers say it." />
          </div>
          <CheckBox {...form.register('isSold')}>Is sold</CheckBox>
        </>
      )}
    </FormDialog>
  );
}

/** @param present the bundle as it is by now; undefined if it was removed */
function changedText(present: Bundle | undefined): string {
  if (!present) return 'This bundle was removed after you opened it. Save to add it again.';
  const { name, isSold } = present;
  return `This bundle was changed after you opened it: it is called “${name}” now, and is ${isSold ? 'sold' : 'no longer sold'}. Save to replace that.`;
}

/** A bundle whose number and name no other has. */
const schemaBeside = (others: readonly Bundle[]) =>
  z.strictObject({
    number: z
      .pipe(
        z.pipe(
          z.string(),
          z.transform((typed) => (/^\s*\d{1,15}\s*$/.test(typed) ? Number(typed) : Number.NaN)),
        ),
        Bundle.shape.number,
      )
      .check(
        z.refine((number) => !others.some((one) => one.number === number), {
          error: ({ input }) =>
            `Bundle ${String(input)} is called “${others.find((one) => one.number === input)?.name}”. Edit that one.`,
        }),
      ),
    name: Bundle.shape.name.check(
      z.refine((name) => !others.some((one) => isSameName(one.name, name)), {
        error: 'Another bundle has this name. Choose another.',
      }),
    ),
    isSold: z.boolean(),
  });
