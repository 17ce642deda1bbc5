import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { deleteSubscriber } from '../../api/changes.ts';
import { sessionQuery, subscriberQuery } from '../../api/queries.ts';
import { makeStale } from '../../api/query-client.ts';
import type { UnconfirmedChange } from '../../api/send-idempotent.ts';
import { showDoneToast } from '../../changes/undo.tsx';
import { useApp } from '../../components/app-context.ts';
import { useIsMounted } from '../../components/use-is-mounted.ts';
import {
  deleteEach,
  hasErrors,
  isRemoved,
  summarizeDeletion,
  type DeletionResults,
  type Target,
} from './delete-run.ts';
import { deselect } from './selection-store.ts';

/** The progress of deleting several subscribers. */
interface DeleteRun {
  phase: 'asking' | 'running' | 'ended';
  /** The user pressed Stop; stays true at the end. */
  isStopping: boolean;
  results: DeletionResults;
  unconfirmed: UnconfirmedChange | null;
  /** Starts, or tries those again that are left. */
  start: (reason: string) => void;
  /** Stops after the one that is being deleted. */
  stop: () => void;
}

/** @param onDone called when none of them is left */
export function useDeleteRun(targets: readonly Target[], onDone: () => void): DeleteRun {
  const { toasts } = useApp();
  const cache = useQueryClient();
  const [phase, setPhase] = useState<DeleteRun['phase']>('asking');
  const [results, setResults] = useState<DeletionResults>(new Map());
  const [unconfirmed, setUnconfirmed] = useState<UnconfirmedChange | null>(null);
  const [isStopping, setStopping] = useState(false);
  const isStopped = useRef(false);
  const isMounted = useIsMounted();
  const cleanUp = useCleanUp();
  const showDeletedToast = useDeletedToast();

  function stop(stopped: boolean): void {
    // The run reads the ref, the buttons the state.
    isStopped.current = stopped;
    setStopping(stopped);
  }

  async function run(reason: string): Promise<void> {
    stop(false);
    setPhase('running');
    const shouldContinue = () => isMounted.current && !isStopped.current;
    const ended = await deleteEach(cache, targets, {
      reason,
      results,
      shouldContinue,
      onResults: setResults,
      onUnconfirmed: setUnconfirmed,
    });
    const removed = targets.filter(({ id }) => isRemoved(ended.get(id)));
    await cleanUp(removed);
    setPhase('ended');
    if (removed.length === targets.length) {
      showDeletedToast(removed, ended);
      if (isMounted.current) onDone();
    } else if (!isMounted.current) {
      // Closing the dialog stopped it.
      const summary = summarizeDeletion(targets, ended, true);
      toasts.show(hasErrors(ended) ? 'bad' : 'warn', `${summary} The others are still selected.`);
    }
  }

  return {
    phase,
    isStopping,
    results,
    unconfirmed,
    start: (reason) => void run(reason),
    stop: () => stop(true),
  };
}

/** Removes deleted subscribers from the selection, the pane and the cache. */
function useCleanUp() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { history } = useRouter();
  return async (removed: readonly Target[]): Promise<void> => {
    const ids = removed.map(({ id }) => id);
    deselect(cache, removed);
    if (ids.some((id) => history.location.pathname === `/subscribers/${id}`))
      await navigate({ to: '/subscribers', search: true, resetScroll: false });
    for (const id of ids) cache.removeQueries({ queryKey: subscriberQuery(id).queryKey });
    makeStale(cache, deleteSubscriber.invalidates);
  };
}

const operation = 'deleteSubscriber';

/** Reports that all are deleted: one with an Undo button, several with a link to their entries under Activity. */
function useDeletedToast() {
  const app = useApp();
  const navigate = useNavigate();
  return (targets: readonly Target[], results: DeletionResults): void => {
    const text = summarizeDeletion(targets, results);
    const deleted = targets.flatMap(({ id }) => {
      const result = results.get(id);
      return result?.state === 'deleted' ? [{ subscriberId: id, status: result.status }] : [];
    });
    const [first, second] = deleted;
    if (!first) app.toasts.show('ok', text);
    else if (!second) showDoneToast(app, { text, operation, ...first });
    else {
      const person = app.queryClient.getQueryData(sessionQuery.queryKey)?.staff.id;
      const search = { operation, ...(person !== undefined && { person }) } as const;
      app.toasts.show('ok', text, {
        label: 'Open activity',
        description: 'Undo single deletions on the Activity page.',
        onPress: () => void navigate({ to: '/activity', search }),
      });
    }
  };
}
