import { queryOptions } from '@tanstack/react-query';
import { desk } from './client.ts';

export const staffQuery = queryOptions({
  queryKey: ['listStaff'],
  queryFn: async ({ signal }) => (await desk.listStaff({}, { signal })).data,
  meta: { awaited: 'the staff accounts' },
});
