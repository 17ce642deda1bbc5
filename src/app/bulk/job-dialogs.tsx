import { lazy, Suspense, useState } from 'react';
import type { ExtendChange, NewJob } from '../../contract/bff/job.ts';
import { useNow } from '../components/app-context.ts';
import { CheckBox } from '../components/check-box.tsx';
import { RadioGroup } from '../components/radio-group.tsx';
import { enterDate, ExpiryField } from '../subscriber/expiry-field.tsx';
import { browserZone, extend, extensions } from '../subscriber/extensions.ts';
import { JobFrame, type AboutJob } from './job-frame.tsx';

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog }));

/** Asks what to change of many subscribers, and prepares a job of it. It changes nothing: the job has a preview. */
export function JobDialog({ kind, ...about }: AboutJob & { kind: NewJob['kind'] }) {
  switch (kind) {
    case 'extend':
      return <ExtendDialog {...about} />;
    case 'update':
      return (
        <Suspense fallback={null}>
          <EditDialog {...about} />
        </Suspense>
      );
    case 'regenerate':
    case 'delete':
      return <PlainDialog kind={kind} {...about} />;
  }
}

const periods = [
  ...extensions.map(({ label }) => ({ value: label, label })),
  { value: 'date', label: 'To a date' },
] as const;

const starts = [
  { value: 'later', label: 'Today or the old expiry, whichever is later' },
  { value: 'expiry', label: 'The old expiry' },
] as const;

function ExtendDialog(about: AboutJob) {
  const now = useNow();
  const [period, setPeriod] = useState<(typeof periods)[number]['value']>('+1 month');
  const [from, setFrom] = useState<ExtendChange['from']>('later');
  const [date, setDate] = useState(() => extend(Number.NaN, extensions[1], now).toISOString());
  const [endTrial, setEndTrial] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const by = extensions.find(({ label }) => label === period)?.by ?? { to: date };
  return (
    <JobFrame
      kind="extend"
      {...about}
      onPreview={() => {
        setSubmitted(true);
        if ('to' in by && date === '') return null;
        return { kind: 'extend', change: { by, from, endTrial, zone: browserZone() } };
      }}
    >
      <RadioGroup label="Extend by" inline value={period} options={periods} onChange={setPeriod} />
      {'to' in by ? (
        <ExpiryField
          label="New expiry"
          value={date}
          onChange={setDate}
          error={isSubmitted && date === '' ? enterDate : undefined}
        />
      ) : (
        <RadioGroup label="Start from" value={from} options={starts} onChange={setFrom} />
      )}
      <CheckBox checked={endTrial} onChange={setEndTrial}>
        Also end the trial
      </CheckBox>
    </JobFrame>
  );
}

function PlainDialog({ kind, ...about }: AboutJob & { kind: 'regenerate' | 'delete' }) {
  return (
    <JobFrame kind={kind} {...about} onPreview={() => ({ kind })}>
      <div>
        {kind === 'delete'
          ? 'This removes them with all their lists, and their access tokens stop working. You can’t fully undo it: they would get new IDs and access tokens.'
          : 'Each of them gets a new access token, and the current one stops working. You can’t undo it.'}
      </div>
    </JobFrame>
  );
}
