import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { AddViewBody, ChangeViewBody } from '../../contract/bff/view-bodies.ts';
import type { View } from '../../contract/bff/view.ts';
import { viewsQuery } from './queries.ts';
import { clientsOf } from './client.ts';

const viewsMeta = { invalidates: ['listViews'] } as const;

/** Shows a change of the views at once; they are also read again. */
const updateViews = (client: QueryClient, change: (views: readonly View[]) => readonly View[]) =>
  client.setQueryData<readonly View[]>(viewsQuery.queryKey, (views) => views && change(views));

/** The views with one that is new or changed, at its place among the shared or the own ones; the shared ones are first. */
function withView(views: readonly View[], view: View, place?: number): View[] {
  const alike = views.filter(({ shared }) => shared === view.shared);
  const before = alike.findIndex(({ id }) => id === view.id);
  const others = alike.filter(({ id }) => id !== view.id);
  const group = others.toSpliced(place ?? (before < 0 ? others.length : before), 0, view);
  const rest = views.filter(({ id, shared }) => shared !== view.shared && id !== view.id);
  return view.shared ? [...group, ...rest] : [...rest, ...group];
}

export const addView = mutationOptions({
  mutationKey: ['addView'],
  mutationFn: async (body: AddViewBody, { client }) => (await clientsOf(client).bff.addView({ body })).data,
  onSuccess: (added, _body, _result, { client }) =>
    void updateViews(client, (views) => withView(views, added)),
  meta: viewsMeta,
});

export const changeView = mutationOptions({
  mutationKey: ['changeView'],
  mutationFn: async ({ id, ...body }: ChangeViewBody & { id: string }, { client }) =>
    (await clientsOf(client).bff.changeView({ params: { id }, body })).data,
  onSuccess: (changed, { place }, _result, { client }) =>
    void updateViews(client, (views) => withView(views, changed, place)),
  meta: viewsMeta,
});

export const deleteView = mutationOptions({
  mutationKey: ['deleteView'],
  mutationFn: (id: string, { client }) => clientsOf(client).bff.deleteView({ params: { id } }),
  onSuccess: (_done, id, _result, { client }) =>
    void updateViews(client, (views) => views.filter((view) => view.id !== id)),
  meta: viewsMeta,
});
