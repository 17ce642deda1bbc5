import type { Api } from '../../contract/service/api.ts';
import type { Handlers } from '../router.ts';

/** The operation on statuses, which are rows so that a deployment may have others. */
export const statusHandlers: Pick<Handlers<Api>, 'listStatuses'> = {
  listStatuses: async (_, { db }) => ({
    body: await db.selectFrom('subscriber_statuses').select(['id', 'name']).orderBy('id').execute(),
  }),
};
