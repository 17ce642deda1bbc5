import type { OperationInput } from '../../contract/service/api.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import type { StaffOperation } from '../../contract/bff/permission.ts';
import { listNames } from '../../contract/service/subscriber.ts';
import type { Caller, Errand } from './call.ts';
import { translateAnswer } from './dialect/answer.ts';
import { createDeletion } from './dialect/deletion.ts';
import type { Parts } from './dialect/parts.ts';
import { translateRefusal } from './dialect/refusal.ts';
import type { Dialect } from './dialect/shape.ts';
import { createUpdate } from './dialect/update.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** Another service's ways and shapes, so that whoever calls sees the contract's and nothing else. */
export function speakDialect(caller: Caller, dialect: Dialect): Caller {
  const spoken: Parts['spoken'] = async (operation, input, errand) => {
    const answer = await caller.call(operation, input, errand);
    // Some services answer a creation with 201.
    const done = answer.status === 200 || answer.status === 201;
    return done
      ? translateAnswer(operation, input, answer, dialect)
      : translateRefusal(operation, answer, dialect);
  };
  const parts = { spoken, dialect, read: createReading(spoken) };
  const own: Partial<Own> = {
    listSubscribers: (input, errand) => spoken('listSubscribers', withPaging(input), errand),
    updateSubscriber: createUpdate(parts),
    ...(dialect.deleteAnswersNothing && { deleteSubscriber: createDeletion(caller, parts) }),
  };
  return {
    ...caller,
    call: async (operation, input, errand) =>
      own[operation]?.(input, errand) ?? spoken(operation, input, errand),
  };
}

/** Operations that take more than one call. */
type Own = {
  [N in StaffOperation]: (input: OperationInput<N>, errand: Errand) => Promise<UpstreamAnswer>;
};

function createReading(spoken: Parts['spoken']): Parts['read'] {
  return (id, errand) =>
    spoken(
      'getSubscriber',
      { params: { id }, query: { include: [...listNames] } },
      { ...errand, ifMatch: null },
    );
}

/** Said outright, because another service may have another idea of the usual page. */
function withPaging({ query }: OperationInput<'listSubscribers'>): OperationInput<'listSubscribers'> {
  return { query: { Page: 1, PageSize: pageSizes.usual, ...query } };
}
