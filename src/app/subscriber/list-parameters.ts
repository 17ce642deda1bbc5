import type { ListQuery } from '../../contract/service/list-query.ts';

/** The list's state in the address of the page, and the service's parameter behind each name. */
export const listParameters = {
  username: 'Username',
  email: 'Email',
  status: 'StatusId',
  statuses: 'StatusIds',
  expired: 'Expired',
  trial: 'IsTrial',
  bundle: 'Bundle',
  country: 'Country',
  ip: 'IpAddress',
  app: 'UserAgent',
  note: 'Note',
  expiresFrom: 'ExpiresFrom',
  expiresTo: 'ExpiresTo',
  sort: 'SortBy',
  page: 'Page',
  pageSize: 'PageSize',
} as const satisfies Record<string, keyof ListQuery>;

/** The storage key of the page size that the user chose last. */
export const pageSizeKey = 'page-size';
