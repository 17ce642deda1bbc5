import { useState } from 'react';
import { FieldsChange } from '../../contract/bff/job.ts';
import type { ListName } from '../../contract/service/subscriber.ts';
import { useSession } from '../api/session.ts';
import { Field } from '../components/field.tsx';
import { FilterSelect } from '../components/filter-bar.tsx';
import { CountryBox } from '../subscriber/country-box.tsx';
import { ListChips, listHints, listsInOrder } from '../subscriber/list-chips.tsx';
import { fieldLabels } from '../subscriber/subscriber-fields.ts';
import { JobFrame, type AboutJob } from './job-frame.tsx';

type Values = readonly (string | number)[];

/** What is done with a list: nothing, unless somebody chooses. */
interface ListChange {
  action: 'add' | 'remove' | null;
  values: Values;
  /** Text in the box that was not added. */
  pending: string;
}

const unchangedList: ListChange = { action: null, values: [], pending: '' };
const switches = ['isTrial', 'hls', 'mpegTs'] as const;

/** Which fields of many subscribers to change; each stays as it is unless something is entered. */
export function EditDialog(about: AboutJob) {
  const statusHelp = useSession()?.statusHelp;
  const [limit, setLimit] = useState('');
  const [set, setSwitches] = useState<Partial<Record<(typeof switches)[number], boolean>>>({});
  const [lists, setLists] = useState<Partial<Record<ListName, ListChange>>>({});
  const [note, setNote] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const read = FieldsChange.safeParse(changeOf({ limit, set, lists, note }));
  const messages = read.error?.issues ?? [];
  const messageFor = (...path: string[]) =>
    isSubmitted
      ? messages.find((issue) => path.every((part, index) => issue.path[index] === part))?.message
      : undefined;
  const pending = Object.values(lists).some((list) => list.action !== null && list.pending !== '');
  const isEmpty = messages.some(({ path }) => path.length === 0);
  const change = (name: ListName, next: Partial<ListChange>) =>
    setLists((before) => ({ ...before, [name]: { ...unchangedList, ...before[name], ...next } }));
  return (
    <JobFrame
      kind="update"
      {...about}
      reason={isEmpty && !pending ? 'Choose what to change first.' : undefined}
      onPreview={() => {
        setSubmitted(true);
        return read.success && !pending ? { kind: 'update', change: read.data } : null;
      }}
    >
      <div className="columns">
        <Field label={fieldLabels.maxConnections} error={messageFor('set', 'maxConnections')}>
          {(parts) => (
            <input
              {...parts}
              inputMode="numeric"
              autoComplete="off"
              placeholder="Leave as it is"
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          )}
        </Field>
        {switches.map((name) => (
          <Field key={name} label={fieldLabels[name]}>
            {(parts) => (
              <select
                {...parts}
                value={set[name] === undefined ? '' : String(set[name])}
                onChange={({ target: { value } }) =>
                  setSwitches({ ...set, [name]: value === '' ? undefined : value === 'true' })
                }
              >
                <option value="">Leave as it is</option>
                <option value="true">On</option>
                <option value="false">Off</option>
              </select>
            )}
          </Field>
        ))}
      </div>
      <div>{statusHelp}</div>
      {listsInOrder.map((name) => {
        const { action, values, pending: text } = lists[name] ?? unchangedList;
        const label = fieldLabels[name];
        return (
          <div key={name} className="stack">
            <div className="row ends aside">
              <span aria-hidden="true">{label}</span>
              <FilterSelect
                label={`${label}: what to do`}
                value={action ?? undefined}
                onChange={(chosen) =>
                  change(name, { action: chosen === 'add' || chosen === 'remove' ? chosen : null })
                }
              >
                <option value="">Leave as they are</option>
                <option value="add">Add</option>
                <option value="remove">Remove</option>
              </FilterSelect>
            </div>
            {action && (
              <Field
                label={`${label} to ${action}`}
                hint={listHints[name]}
                error={
                  isSubmitted && text !== ''
                    ? `“${text}” wasn’t added. Correct or remove it.`
                    : messageFor(action, name)
                }
              >
                {(parts) => (
                  <ListChips
                    name={name}
                    parts={parts}
                    {...(action === 'remove' && { placeholder: '' })}
                    {...(name === 'countries' && { offerBox: CountryBox })}
                    values={values}
                    onChange={(next) => change(name, { values: next })}
                    onPendingText={(next) => change(name, { pending: next })}
                  />
                )}
              </Field>
            )}
          </div>
        );
      })}
      <Field
        label="Add to the note"
        error={messageFor('appendNote')}
        hint="As a new line, below what is there."
      >
        {(parts) => (
          <textarea {...parts} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
        )}
      </Field>
    </JobFrame>
  );
}

/** What was entered, as the contract reads it: without what stays as it is. */
function changeOf({
  limit,
  set,
  lists,
  note,
}: {
  limit: string;
  set: Partial<Record<(typeof switches)[number], boolean>>;
  lists: Partial<Record<ListName, ListChange>>;
  note: string;
}): unknown {
  const number = limit.trim() === '' ? {} : { maxConnections: Number(limit) };
  const chosen = Object.entries(set).filter(([, value]) => value !== undefined);
  const fields = { ...number, ...Object.fromEntries(chosen) };
  const listsTo = (wanted: ListChange['action']) => {
    const changed = Object.entries(lists).filter(
      ([, { action, values }]) => action === wanted && values.length > 0,
    );
    return Object.fromEntries(changed.map(([name, { values }]) => [name, values]));
  };
  const parts = { set: fields, add: listsTo('add'), remove: listsTo('remove') };
  return {
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0)),
    ...(note.trim() !== '' && { appendNote: note }),
  };
}
