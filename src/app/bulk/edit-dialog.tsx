import * as z from 'zod/mini';
import { FieldsChange } from '../../contract/bff/job.ts';
import type { ListName } from '../../contract/service/limits.ts';
import { useSession } from '../api/session.ts';
import { Field, InputField } from '../components/field.tsx';
import { FilterSelect } from '../components/filter-bar.tsx';
import type { Bind } from '../components/form-dialog.tsx';
import { ListChips } from '../subscriber/list-chips.tsx';
import { listHints } from '../subscriber/list-values.ts';
import { listsInOrder } from '../subscriber/subscriber-fields.ts';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';
import { JobForm, type AboutJob } from './job-dialogs.tsx';

/** Change of a list: nothing, unless somebody chooses. */
interface ListChange {
  action: '' | 'add' | 'remove';
  values: readonly (string | number)[];
  /** Text in the box that was not added. */
  pending: string;
}

const unchangedList: ListChange = { action: '', values: [], pending: '' };
const switches = ['isTrial', 'hls', 'mpegTs'] as const;

const settings = [
  { value: '', label: 'Leave as it is' },
  { value: 'true', label: 'On' },
  { value: 'false', label: 'Off' },
];
const actions = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
] as const;

/** Values of the form; each field stays as it is where that is empty. */
type EnteredEdit = Record<'maxConnections' | (typeof switches)[number] | 'appendNote', string> & {
  lists: Record<ListName, ListChange>;
};

const nothing: EnteredEdit = {
  maxConnections: '',
  isTrial: '',
  hls: '',
  mpegTs: '',
  lists: {
    bundles: unchangedList,
    countries: unchangedList,
    ipAddresses: unchangedList,
    userAgents: unchangedList,
  },
  appendNote: '',
};

/** Which fields of many subscribers to change. */
export function EditDialog(about: AboutJob) {
  const statusHelp = useSession()?.statusHelp;
  return (
    <JobForm
      kind="update"
      {...about}
      schema={editSchema}
      values={nothing}
      reasonFor={(values) => (isEmpty(values) ? 'Choose what to change first.' : undefined)}
      jobOf={(change) => ({ kind: 'update', change })}
    >
      {(form, bind) => (
        <>
          <div className="columns">
            <InputField
              form={form}
              name="maxConnections"
              label={fieldLabels.maxConnections}
              inputMode="numeric"
              placeholder="Leave as it is"
            />
            {switches.map((name) => (
              <InputField key={name} form={form} name={name} label={fieldLabels[name]} options={settings} />
            ))}
          </div>
          <div>{statusHelp}</div>
          {listsInOrder.map((name) => (
            <ListField key={name} name={name} bind={bind} errors={form.formState.errors.lists?.[name]} />
          ))}
          <InputField
            form={form}
            name="appendNote"
            label="Add to the note"
            hint="As a new line, below what is there."
          >
            {(parts) => <textarea {...parts} rows={2} />}
          </InputField>
        </>
      )}
    </JobForm>
  );
}

function ListField(props: {
  name: ListName;
  bind: Bind<EnteredEdit>;
  errors: { [Part in 'values' | 'pending']?: { message?: string } } | undefined;
}) {
  const { name, bind, errors } = props;
  const { value: action, onChange: setAction } = bind(`lists.${name}.action`);
  const { value: values, onChange: setValues } = bind(`lists.${name}.values`);
  const label = fieldLabels[name];
  return (
    <div className="stack">
      <div className="row ends aside">
        <span aria-hidden="true">{label}</span>
        <FilterSelect
          label={`${label}: what to do`}
          any="Leave as they are"
          value={action || undefined}
          options={actions}
          onChange={(chosen) => setAction(actions.find(({ value }) => value === chosen)?.value ?? '')}
        />
      </div>
      {action && (
        <Field
          label={`${label} to ${action}`}
          hint={listHints[name]}
          error={(errors?.pending ?? errors?.values)?.message}
        >
          {(parts) => (
            <ListChips
              name={name}
              parts={parts}
              {...(action === 'remove' && { placeholder: '' })}
              values={values}
              onChange={setValues}
              onPendingText={bind(`lists.${name}.pending`).onChange}
            />
          )}
        </Field>
      )}
    </div>
  );
}

const isPending = ({ action, pending }: ListChange) => action !== '' && pending !== '';

const isEmpty = (entered: EnteredEdit) =>
  Object.keys(changeOf(entered)).length === 0 && !Object.values(entered.lists).some(isPending);

/** The change for the contract: the values of the form without empty ones. */
function changeOf({ maxConnections, lists, appendNote, ...chosen }: EnteredEdit): object {
  const set = {
    ...(maxConnections.trim() !== '' && { maxConnections: Number(maxConnections) }),
    ...toObject(switches, (name) => (chosen[name] === '' ? undefined : chosen[name] === 'true')),
  };
  const valuesTo = (action: ListChange['action']) =>
    toObject(listsInOrder, (name) =>
      lists[name].action === action && lists[name].values.length > 0 ? lists[name].values : undefined,
    );
  const parts = { set, add: valuesTo('add'), remove: valuesTo('remove') } as const;
  return {
    ...toObject(['set', 'add', 'remove'], (name) =>
      Object.keys(parts[name]).length > 0 ? parts[name] : undefined,
    ),
    ...(appendNote.trim() !== '' && { appendNote }),
  };
}

/** The names that have a value, each with it. */
const toObject = <Name extends string>(names: readonly Name[], valueOf: (name: Name) => unknown) =>
  Object.fromEntries(
    names.map((name) => [name, valueOf(name)] as const).filter(([, value]) => value !== undefined),
  );

/** Makes the change, and says of the fields what the contract refuses. */
const editSchema = z.pipe(
  z.custom<EnteredEdit>(),
  z.transform((entered: EnteredEdit, { issues }): FieldsChange => {
    const refuse = (path: PropertyKey[], message: string) =>
      issues.push({ code: 'custom', input: entered, path, message });
    for (const name of listsInOrder)
      if (isPending(entered.lists[name]))
        refuse(
          ['lists', name, 'pending'],
          `“${entered.lists[name].pending}” wasn’t added. Correct or remove it.`,
        );
    const { data, error } = FieldsChange.safeParse(changeOf(entered));
    for (const { path, message } of error?.issues ?? []) {
      const [part, name = ''] = path;
      // There is no change yet: its only value is one that was not added.
      if (part === undefined) continue;
      if (part === 'set') refuse([name], message);
      else refuse(part === 'add' || part === 'remove' ? ['lists', name, 'values'] : ['appendNote'], message);
    }
    return data ?? z.NEVER;
  }),
);
