import type { Kysely } from 'kysely';
import type { Api } from '../contract/api.ts';
import type { Handlers } from './implement.ts';
import type { ServiceTables } from './store/schema.ts';

/** The operation on statuses, which are rows so that a deployment may have others. */
export function statusHandlers(deps: { db: Kysely<ServiceTables> }): Pick<Handlers<Api>, 'listStatuses'> {
  return {
    listStatuses: async () => ({
      body: await deps.db.selectFrom('subscriber_statuses').select(['id', 'name']).orderBy('id').execute(),
    }),
  };
}
