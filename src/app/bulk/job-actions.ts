import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { changeJob, type JobAction } from '../api/jobs.ts';
import { describeError } from '../api/errors.ts';

export type JobActions = ReturnType<typeof useJobActions>;

/** What the buttons of the page do, one at a time. */
export function useJobActions() {
  const navigate = useNavigate();
  const [error, setError] = useState<string | null>(null);
  // The second press of a double click comes before the page knows that the first is under way.
  const isUnderWay = useRef(false);
  const change = useMutation({
    ...changeJob,
    onSuccess: async (job, action) => {
      if (job.id !== action.id) await navigate({ to: '/jobs/$id', params: { id: job.id } });
      // The button that had the focus is gone.
      else document.querySelector('h1')?.focus();
    },
    onError: (thrown) => setError(describeError(thrown)),
    onSettled: () => void (isUnderWay.current = false),
  });
  return {
    error,
    /** The operation that is under way. */
    pending: change.isPending ? change.variables.operation : null,
    run: (action: JobAction) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setError(null);
      change.mutate(action);
    },
  };
}
