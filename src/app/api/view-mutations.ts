import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { View } from '../../contract/bff/view.ts';
import type { AddViewBody, ChangeViewBody } from '../../contract/bff/view-bodies.ts';
import { viewsQuery } from './views.ts';
import { desk } from './client.ts';

const meta = { invalidates: ['listViews'] } as const;

/** What a change made of the views shows at once; the list itself is loaded anew besides. */
const show = (client: QueryClient, change: (views: readonly View[]) => readonly View[]) =>
  client.setQueryData<readonly View[]>(viewsQuery.queryKey, (views) => views && change(views));

export const addView = mutationOptions({
  mutationKey: ['addView'],
  mutationFn: async (body: AddViewBody) => (await desk.addView({ body })).data,
  onSuccess: (added, _body, _result, { client }) => void show(client, (views) => [...views, added]),
  meta,
});

export const changeView = mutationOptions({
  mutationKey: ['changeView'],
  mutationFn: async ({ id, ...body }: ChangeViewBody & { id: string }) =>
    (await desk.changeView({ params: { id }, body })).data,
  onSuccess: (changed, { id, place }, _result, { client }) =>
    void show(client, (views) => {
      const at = place ?? views.findIndex((view) => view.id === id);
      return views.filter((view) => view.id !== id).toSpliced(at, 0, changed);
    }),
  meta,
});

export const deleteView = mutationOptions({
  mutationKey: ['deleteView'],
  mutationFn: async (id: string) => desk.deleteView({ params: { id } }),
  onSuccess: (_done, id, _result, { client }) =>
    void show(client, (views) => views.filter((view) => view.id !== id)),
  meta,
});
