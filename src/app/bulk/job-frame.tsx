import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { JobTargets, NewJob } from '../../contract/bff/job.ts';
import { createJob } from '../api/jobs.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { jobTitle } from '../subscriber/job-words.ts';
import { useApp } from '../components/app-context.ts';
import { describeError } from '../api/errors.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { keepUntilStarted } from '../subscriber/selection-store.ts';

/** Whom a job is for. */
export interface AboutJob {
  targets: JobTargets;
  /** How many subscribers that is; null if nobody knows. */
  count: number | null;
  onClose: () => void;
}

/** The kind of a job, and its change. */
type JobWish =
  | Pick<Extract<NewJob, { kind: 'extend' }>, 'kind' | 'change'>
  | Pick<Extract<NewJob, { kind: 'update' }>, 'kind' | 'change'>
  | { kind: 'regenerate' | 'delete' };

interface JobFrameProps extends AboutJob {
  kind: NewJob['kind'];
  /** Why it cannot be prepared yet. */
  reason?: string | undefined;
  /** The job that was asked for; null if something has to be corrected first. */
  onPreview: () => JobWish | null;
  children: ReactNode;
}

/** What all these dialogs have: whom it is for, a reason, and a button that prepares the job and shows its preview. */
export function JobFrame({
  kind,
  targets,
  count,
  reason: obstacle,
  onPreview,
  onClose,
  children,
}: JobFrameProps) {
  const { queryClient } = useApp();
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const job = useMutation({
    ...createJob,
    onSuccess: async ({ id }) => {
      keepUntilStarted(queryClient, id);
      await navigate({ to: '/jobs/$id', params: { id } });
    },
  });
  return (
    <ConfirmDialog
      title={jobTitle(kind, count ?? 0)}
      action="Preview"
      busyAction="Preparing…"
      busy={job.isPending}
      reason={obstacle}
      error={job.error && describeError(job.error)}
      onSubmit={() => {
        const wish = onPreview();
        if (wish) job.mutate({ ...wish, targets, ...(reason.trim() && { reason: reason.trim() }) });
      }}
      onClose={onClose}
    >
      {children}
      <ReasonField value={reason} onChange={setReason} readOnly={job.isPending} several />
      <p>Nothing is changed yet. The preview shows what would change, and you start it from there.</p>
    </ConfirmDialog>
  );
}
