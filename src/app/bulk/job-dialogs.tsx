import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import type { ExtendChange, FieldsChange, JobTargets, NewJob } from '../../contract/bff/job.ts';
import { useApp, useNow } from '../components/app-context.ts';
import { CheckBox, RadioGroup } from '../components/field.tsx';
import { FormDialog, type FormDialogProps } from '../components/form-dialog.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { enterDate, ExpiryField } from '../subscriber/expiry-field.tsx';
import { browserZone, extend, extensions } from '../subscriber/extensions.ts';
import { jobTitle } from '../subscriber/job-words.ts';
import { keepUntilStarted } from '../subscriber/selection-store.ts';
import { usePrepareJob } from './jobs.ts';

/** The subscribers of a job. */
export interface AboutJob {
  targets: JobTargets;
  /** Number of these subscribers; null if nobody knows. */
  count: number | null;
  onClose: () => void;
}

/** Asks what to change of many subscribers, and prepares a job of it. It changes nothing: the job has a preview. */
export function JobDialog({ kind, ...about }: AboutJob & { kind: NewJob['kind'] }) {
  const edit = useLazyModule(() => import('./edit-dialog.tsx'), kind === 'update', about.onClose);
  switch (kind) {
    case 'extend':
      return <ExtendDialog {...about} />;
    case 'update':
      return edit && <edit.EditDialog {...about} />;
    case 'regenerate':
    case 'delete':
      return <PlainDialog kind={kind} {...about} />;
  }
}

type JobChange =
  | { kind: 'extend'; change: ExtendChange }
  | { kind: 'update'; change: FieldsChange }
  | { kind: 'regenerate' | 'delete' };

type JobFormProps<Input extends FieldValues, Change> = AboutJob &
  Pick<FormDialogProps<Input, Change>, 'schema' | 'values' | 'reasonFor' | 'children'> & {
    kind: NewJob['kind'];
    jobOf: (change: Change) => JobChange;
  };

/** A form about a job: whom it is for, what it changes, a reason, and a button that prepares it and shows its preview. */
export function JobForm<Input extends FieldValues, Change>(props: JobFormProps<Input, Change>) {
  const { kind, targets, count, jobOf, children, ...form } = props;
  const { queryClient } = useApp();
  const [reason, setReason] = useState('');
  const preparing = usePrepareJob({ onReply: ({ data }) => keepUntilStarted(queryClient, data.id) });
  return (
    <FormDialog
      {...form}
      title={jobTitle(kind, count ?? 0)}
      action="Preview"
      busyAction="Preparing…"
      acting={preparing}
      asksBeforeLeaving
      onSubmit={(change) => {
        const given = reason.trim() && { reason: reason.trim() };
        void preparing.run({ ...jobOf(change), targets, ...given });
      }}
    >
      {(...fields) => (
        <>
          {children(...fields)}
          <ReasonField value={reason} onChange={setReason} readOnly={preparing.isBusy} several />
          <p>Nothing is changed yet. The preview shows what would change, and you start it from there.</p>
        </>
      )}
    </FormDialog>
  );
}

const periods = [
  ...extensions.map(({ label }) => ({ value: label, label })),
  { value: 'date', label: 'To a date' },
] as const;

const starts = [
  { value: 'later', label: 'Today or the old expiry, whichever is later' },
  { value: 'expiry', label: 'The old expiry' },
] as const;

interface EnteredExtension {
  period: (typeof periods)[number]['value'];
  from: ExtendChange['from'];
  date: string;
  endTrial: boolean;
}

const extensionSchema = z.pipe(
  z
    .custom<EnteredExtension>()
    .check(
      z.refine(({ period, date }) => period !== 'date' || date !== '', { path: ['date'], error: enterDate }),
    ),
  z.transform(({ period, date, ...rest }: EnteredExtension) => ({
    ...rest,
    by: extensions.find(({ label }) => label === period)?.by ?? { to: date },
    zone: browserZone(),
  })),
);

function ExtendDialog(about: AboutJob) {
  const now = useNow();
  const [date] = useState(() => extend(Number.NaN, extensions[1], now).toISOString());
  return (
    <JobForm
      kind="extend"
      {...about}
      schema={extensionSchema}
      values={{ period: '+1 month', from: 'later', date, endTrial: false }}
      jobOf={(change) => ({ kind: 'extend', change })}
    >
      {(form, bind) => (
        <>
          <RadioGroup label="Extend by" inline options={periods} {...bind('period')} />
          {bind('period').value === 'date' ? (
            <ExpiryField label="New expiry" error={form.formState.errors.date?.message} {...bind('date')} />
          ) : (
            <RadioGroup label="Start from" options={starts} {...bind('from')} />
          )}
          <CheckBox {...form.register('endTrial')}>Also end the trial</CheckBox>
        </>
      )}
    </JobForm>
  );
}

function PlainDialog({ kind, ...about }: AboutJob & { kind: 'regenerate' | 'delete' }) {
  return (
    <JobForm kind={kind} {...about} schema={z.object({})} values={{}} jobOf={() => ({ kind })}>
      {() => (
        <div>
          {kind === 'delete'
            ? 'This removes them with all their lists, and their access tokens stop working. You can’t fully undo it: they would get new IDs and access tokens.'
            : 'Each of them gets a new access token, and the current one stops working. You can’t undo it.'}
        </div>
      )}
    </JobForm>
  );
}
