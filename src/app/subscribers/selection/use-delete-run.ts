import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { deleteSubscriber } from '../../api/changes.ts';
import type { UnconfirmedChange } from '../../api/send-idempotent.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { makeStale } from '../../api/query-client.ts';
import { useApp } from '../../components/app-context.ts';
import { useHere } from '../../components/use-is-mounted.ts';
import { drop } from './selection-store.ts';
import { deleteEach, isAway, type Fates, type Target } from './delete-run.ts';
import { tally } from './deletion-summary.ts';
import { useTellDeleted } from './use-tell-deleted.ts';

/** How far the deletion of several has come. */
export interface DeleteRun {
  phase: 'asking' | 'running' | 'over';
  isStopping: boolean;
  fates: Fates;
  unconfirmed: UnconfirmedChange | null;
  /** Does it, or what is left of it. */
  start: (reason: string) => void;
  /** What is done is done; the one under way is still waited for. */
  stop: () => void;
}

/** @param onDone called where nobody of them is left */
export function useDeleteRun(targets: readonly Target[], onDone: () => void): DeleteRun {
  const { toasts } = useApp();
  const cache = useQueryClient();
  const [phase, setPhase] = useState<DeleteRun['phase']>('asking');
  const [fates, setFates] = useState<Fates>(new Map());
  const [unconfirmed, setUnconfirmed] = useState<UnconfirmedChange | null>(null);
  const [isStopping, setStopping] = useState(false);
  const isStopped = useRef(false);
  const here = useHere();
  const settle = useSettle();
  const tellDeleted = useTellDeleted();

  function stop(stopped: boolean): void {
    // Both: the run asks in between, the buttons are drawn anew.
    isStopped.current = stopped;
    setStopping(stopped);
  }

  async function run(reason: string): Promise<void> {
    stop(false);
    setPhase('running');
    const goesOn = () => here.current && !isStopped.current;
    const ended = await deleteEach(cache, targets, {
      reason,
      fates,
      goesOn,
      tell: setFates,
      onUnconfirmed: setUnconfirmed,
    });
    const away = targets.filter(({ id }) => isAway(ended.get(id)));
    await settle(away);
    setPhase('over');
    if (away.length === targets.length) {
      tellDeleted(away, ended);
      if (here.current) onDone();
    } else if (!here.current) toasts.show('bad', `${tally(targets, ended)} The others are still selected.`);
  }

  return {
    phase,
    isStopping,
    fates,
    unconfirmed,
    start: (reason) => void run(reason),
    stop: () => stop(true),
  };
}

/** Takes those who are away off the page: the selection, the pane, and what is out of date. */
function useSettle() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { history } = useRouter();
  return async (away: readonly Target[]): Promise<void> => {
    const ids = away.map(({ id }) => id);
    drop(cache, away);
    if (ids.some((id) => history.location.pathname === `/subscribers/${id}`))
      await navigate({ to: '/subscribers', search: true, resetScroll: false });
    for (const id of ids) cache.removeQueries({ queryKey: subscriberQuery(id).queryKey });
    makeStale(cache, deleteSubscriber.invalidates);
  };
}
