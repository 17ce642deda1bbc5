import * as z from 'zod/mini';
import { ListQuery, pageSizes } from '../../contract/service/list-query.ts';
import { createPreference } from '../components/preference.ts';
import { pageSizeKey } from './list-parameters.ts';

/** How many rows a page has where the address does not say: as many as were chosen last. */
export const usualPageSize = createPreference<number>(pageSizeKey, (kept) => {
  const size = z.safeDecode(ListQuery.shape.PageSize, kept ?? undefined);
  return (size.success && size.data) || pageSizes.usual;
});
