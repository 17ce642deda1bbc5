import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createActiveQueries } from '../../../src/app/api/api.ts';

test('the queries that are shown are searched once for all events of a moment, whoever looks at them', async () => {
  const client = new QueryClient();
  const active = createActiveQueries(client.getQueryCache());
  const seen: unknown[] = [];
  const look = () => void seen.push(active.get().map(({ state }) => state.data));
  const ends: (() => unknown)[] = [active.subscribe(() => look()), active.subscribe(() => look())];
  look();
  const shown = new QueryObserver(client, { queryKey: ['shown'], queryFn: () => 0, staleTime: Infinity });
  ends.push(shown.subscribe(() => {}));
  await waitFor(() => expect(seen.at(-1)).toEqual([0]));
  const find = vi.spyOn(client.getQueryCache(), 'findAll');
  const before = seen.length;
  for (const data of [1, 2, 3]) {
    client.setQueryData(['hidden'], data);
    client.setQueryData(['shown'], data);
  }
  await waitFor(() => expect(seen.at(-1)).toEqual([3]));
  expect(seen.slice(before)).toEqual([[3], [3]]);
  expect(find).toHaveBeenCalledTimes(1);
  for (const end of ends) end();
});
