import type { OperationInput } from '../../../contract/service/api.ts';
import { pageSizes } from '../../../contract/service/list-query.ts';
import { enteredFields, type UpdateBody } from '../../../contract/service/subscriber-input.ts';
import { listNames, type SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import type { UpstreamOperation } from '../../../contract/bff/permission.ts';
import { Problem } from '../../../contract/http/problem.ts';
import type { CallContext, Caller, ReplyTo } from '../call.ts';
import { RefusedByService } from '../failures.ts';
import type { Dialect } from './shape.ts';

type Operations = {
  [N in UpstreamOperation]: (input: OperationInput<N>, context: CallContext) => Promise<ReplyTo<N>>;
};

/** Makes the calls that a service with a dialect needs for one operation, so that the caller sees only the contract. */
export function translateCalls(caller: Caller, dialect: Dialect): Caller {
  /** Reads a subscriber as it is now, with all lists. */
  const read = (id: number, context: CallContext) =>
    caller.call(
      'getSubscriber',
      { params: { id }, query: { include: [...listNames] } },
      { ...context, ifMatch: null },
    );

  /** An update by the contract's rules: omitted fields keep their values, and a missing subscriber is a 404. */
  const update: Operations['updateSubscriber'] = async (input, context) => {
    if (!dialect.omittedFieldsAreReset || isWhole(input.body)) return sendUpdate(input, context);
    const before = await read(input.params.id, context);
    // Bound to the version that the other fields come from, if the service has versions.
    const ifMatch = context.ifMatch ?? before.etag;
    const body = { ...inputOf(before.data), ...input.body };
    return sendUpdate({ ...input, body }, { ...context, ifMatch });
  };

  const sendUpdate: Operations['updateSubscriber'] = async (input, context) => {
    try {
      return await caller.call('updateSubscriber', input, context);
    } catch (error) {
      // A 422 without fields may mean that the subscriber does not exist.
      const mayBeMissing = dialect.missingIs422 && error instanceof RefusedByService && error.status === 422;
      if (mayBeMissing && !error.particulars.errors)
        await read(input.params.id, context).catch((other: unknown) => {
          if (other instanceof Problem && other.code === 'no-such-subscriber') throw other;
        });
      throw error;
    }
  };

  /** A deletion that answers the record as it last was, for a service whose deletions answer nothing. */
  const deleteSilently: Operations['deleteSubscriber'] = async (input, context) => {
    const before = await read(input.params.id, context);
    await caller.call('deleteSubscriber', input, context).catch((error: unknown) => {
      const isDone = error instanceof RefusedByService && [200, 204].includes(error.status);
      if (!isDone) throw error;
    });
    return before as ReplyTo<'deleteSubscriber'>;
  };

  const special: Partial<Operations> = {
    listSubscribers: (input, context) => caller.call('listSubscribers', withPaging(input), context),
    updateSubscriber: update,
    ...(dialect.deleteAnswersNothing && { deleteSubscriber: deleteSilently }),
  };
  return {
    ...caller,
    call: (operation, input, context) =>
      special[operation]?.(input, context) ?? caller.call(operation, input, context),
  };
}

/** Always sends the page and its size, because another service may have other defaults. */
function withPaging({ query }: OperationInput<'listSubscribers'>): OperationInput<'listSubscribers'> {
  return { query: { Page: 1, PageSize: pageSizes.usual, ...query } };
}

const isWhole = (body: UpdateBody) => enteredFields.every((field) => body[field] !== undefined);

/** The fields of a record that staff enter, without those that the service adds. */
function inputOf(record: SubscriberWithLists): UpdateBody {
  return Object.fromEntries(enteredFields.map((field) => [field, record[field]]));
}
