import type * as z from 'zod/mini';
import type { Dialect } from '../../../../src/bff/upstream/dialect/shape.ts';

/** How the other service differs, as its operator would write it into the file that UPSTREAM_DIALECT names. */
export const otherDialect = {
  operations: {
    listSubscribers: { path: '/v2/customers/search' },
    createSubscriber: { path: '/v2/customers/new' },
    getSubscriber: { path: '/v2/customers/id/{id}' },
    updateSubscriber: { method: 'PATCH', path: '/v2/customers/id/{id}' },
    deleteSubscriber: { method: 'POST', path: '/v2/customers/id/{id}/remove' },
    getSubscriberByToken: { path: '/v2/tokens/{accessToken}/owner' },
    regenerateToken: { method: 'PUT', path: '/v2/tokens/of/{id}' },
    listStatuses: { path: '/v2/states' },
  },
  record: '/Data',
  list: { items: '/Data', total: '/Meta/Total' },
  statuses: { items: '/Data', id: '/Code', name: '/Label' },
  errors: { fields: '/Errors', names: 'PascalCase' },
  omittedFieldsAreReset: true,
  missingIs422: true,
  deleteAnswersNothing: true,
} satisfies z.input<typeof Dialect>;
