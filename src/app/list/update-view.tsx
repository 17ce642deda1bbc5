import { MutationObserver, useMutation } from '@tanstack/react-query';
import type { View, ViewQuery } from '../../contract/bff/view.ts';
import { changeView } from '../api/mutations.ts';
import { describeError } from '../api/errors.ts';
import { useApp, type App } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';

/** Gives a view the filters and the order that the list has now. */
export function UpdateButton(props: { view: View; query: ViewQuery; onUpdated: () => void }) {
  const { view, query, onUpdated } = props;
  const app = useApp();
  const updating = useMutation({
    ...changeView,
    onSuccess: (changed, ...rest) => {
      changeView.onSuccess?.(changed, ...rest);
      onUpdated();
      const text = `View “${changed.name}” was updated.`;
      const toast = app.toasts.show('ok', text, {
        label: 'Undo',
        description: 'Gives the view its former filters and order back.',
        onPress: () => void undoUpdate(app, view, toast),
      });
    },
    onError: (error) => app.toasts.show('bad', reasonFor(error)),
  });
  return (
    <Button
      small
      look="quiet"
      busy={updating.isPending}
      onClick={() => updating.mutate({ id: view.id, query: asText(query) })}
    >
      Update view “{view.name}”
    </Button>
  );
}

/** @param view as it was before the update */
async function undoUpdate({ queryClient, toasts }: App, view: View, toast: number): Promise<void> {
  toasts.replace(toast, 'busy', 'Undoing…', { label: 'Undo', onPress: null });
  try {
    // The toast may outlive the list.
    const change = { id: view.id, query: asText(view.query) };
    await new MutationObserver(queryClient, changeView).mutate(change);
    toasts.replace(toast, 'ok', `Undone: view “${view.name}” is as it was before.`);
  } catch (error) {
    toasts.replace(toast, 'bad', reasonFor(Object(error) as Error));
  }
}

const reasonFor = (error: Error) =>
  describeError(error, { done: 'the view was updated', check: 'Check the view' });

/** Each value as text, as in an address: the BFF reads it that way. */
export const asText = (query: object) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
