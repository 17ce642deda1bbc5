import { useState } from 'react';
import * as z from 'zod/mini';
import type { Job } from '../../contract/bff/job.ts';
import { Instant } from '../../contract/service/instant.ts';
import { useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/format.ts';
import { Form, TextField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { enterDate, fromLocalInput, toLocalInput } from '../subscriber/expiry-field.tsx';
import { useJobAction } from './jobs.ts';
import { isDangerous, isUndecided } from './preview.tsx';
import styles from './jobs.module.css';

/** Number of rows that run first if somebody wants to try it out. */
const firstFewOf = ({ kind }: Job) => (kind === 'import' ? 3 : 10);

/** True if a job can start, or go on, with only some. */
export const canStartFew = (job: Job) =>
  (isUndecided(job) || job.pause === 'limit') && job.counts.change > firstFewOf(job);

/** Starts with as many as somebody enters, which confirms it: for what can’t be undone no number is entered already. */
export function FirstFew({ job, act }: { job: Job; act: ReturnType<typeof useJobAction> }) {
  const [typed, setTyped] = useState(isDangerous(job) ? '' : String(firstFewOf(job)));
  const most = job.counts.change - 1;
  const limit = Number(typed.trim());
  const isRight = Number.isInteger(limit) && limit >= 1 && limit <= most;
  const next = job.state === 'ready' ? 'Start with the first' : 'Continue with the next';
  return (
    <Form
      className={`row ${styles.few}`}
      onSubmit={() => {
        if (!act.isBusy && isRight) act.run('startJob', { limit });
      }}
    >
      <TextField
        label="Or only some"
        className={styles.number}
        inputMode="numeric"
        value={typed}
        onChange={setTyped}
      />
      <Button
        type="submit"
        busy={act.isBusy}
        reason={isRight ? undefined : `Enter a number from 1 to ${grouped(most)} first.`}
      >
        {isRight ? `${next} ${grouped(limit)}` : `${next} few`}
      </Button>
    </Form>
  );
}

const startSchema = z.object({ at: Instant });

/** Asks when a job is to start, or to start instead. */
export function StartLater({ job, onClose }: { job: Job; onClose: () => void }) {
  const act = useJobAction(job);
  // At night most of them do not watch.
  const now = useNow();
  const [night] = useState(() => {
    const at = new Date(now + 60 * 60_000);
    if (at.getHours() >= 2) at.setDate(at.getDate() + 1);
    return new Date(at.setHours(2, 0, 0, 0)).toISOString();
  });
  return (
    <FormDialog
      title={job.startsAt === null ? 'Start later' : 'Change time'}
      action="Schedule"
      acting={act}
      schema={startSchema}
      values={{ at: job.startsAt ?? night }}
      onSubmit={({ at }) => (at === job.startsAt ? onClose() : act.run('startJob', { at }))}
      onClose={onClose}
    >
      {(form, bind) => (
        <>
          <TextField
            label="Start at"
            hint="In your time zone."
            // The contract's sentence is about time zones, which this input does not have.
            error={
              bind('at').value === '' && form.formState.errors.at
                ? enterDate
                : form.formState.errors.at?.message
            }
            type="datetime-local"
            value={toLocalInput(bind('at').value)}
            onChange={(local) => bind('at').onChange(fromLocalInput(local))}
          />
          <p>
            You can close the browser: the job starts by itself, in your name. It skips subscribers that are
            changed before then.
          </p>
        </>
      )}
    </FormDialog>
  );
}
