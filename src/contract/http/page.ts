import './zod-config.ts';
import * as z from 'zod/mini';

/** One page of a list. */
export const pageOf = <S extends z.ZodMiniType>(item: S) =>
  z.object({
    items: z.array(item),
    page: z.int(),
    pageSize: z.int(),
    totalCount: z.int(),
    totalPages: z.int(),
  });

export const toPage = <T>(
  items: T[],
  { page, pageSize, totalCount }: { page: number; pageSize: number; totalCount: number },
) => ({ items, page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) });
