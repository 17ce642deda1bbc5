import { useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.ts';
import { showDoneToast } from '../../changes/undo.tsx';
import { undoOfChange } from '../../changes/undo-note.tsx';
import { useApp } from '../../components/app-context.ts';
import type { Fates, Target } from './delete-run.ts';
import { tally } from './deletion-summary.ts';

const operation = 'deleteSubscriber';

/** Says that all are gone: of one that was deleted with its way back, of several with the way to those of each. */
export function useTellDeleted() {
  const app = useApp();
  const navigate = useNavigate();
  return (targets: readonly Target[], fates: Fates): void => {
    const text = tally(targets, fates);
    const [first, second] = targets.filter(({ id }) => fates.get(id)?.state === 'deleted');
    if (!first) app.toasts.show('ok', text);
    else if (!second) showDoneToast(app, { text, operation, subscriberId: first.id });
    else {
      const person = app.queryClient.getQueryData(sessionQuery.queryKey)?.staff.id;
      const search = { operation, ...(person !== undefined && { person }) } as const;
      app.toasts.show('ok', text, {
        label: 'Open activity',
        description: `Each can be undone there by itself. ${undoOfChange(operation).sentence}`,
        onPress: () => void navigate({ to: '/activity', search }),
      });
    }
  };
}
