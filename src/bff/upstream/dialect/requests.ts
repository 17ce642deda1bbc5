import type { OperationInput } from '../../../contract/service/api.ts';
import { pageSizes } from '../../../contract/service/list-query.ts';
import { enteredFields, type SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { listNames } from '../../../contract/service/subscriber.ts';
import type { StaffOperation } from '../../../contract/bff/permission.ts';
import { readJson, readProblem } from '../answer.ts';
import type { CallContext, Caller } from '../call.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { translateAnswer, translateRefusal } from './answers.ts';
import type { Dialect } from './shape.ts';

/** Translates calls for a service with a dialect, so that the caller sees only the contract. */
export function translateCalls(caller: Caller, dialect: Dialect): Caller {
  const translated: Parts['translated'] = async (operation, input, context) => {
    const answer = await caller.call(operation, input, context);
    // Some services answer a creation with 201.
    const done = answer.status === 200 || answer.status === 201;
    return done
      ? translateAnswer(operation, input, answer, dialect)
      : translateRefusal(operation, answer, dialect);
  };
  const read: Parts['read'] = (id, context) => {
    const input = { params: { id }, query: { include: [...listNames] } };
    return translated('getSubscriber', input, { ...context, ifMatch: null });
  };
  const parts = { translated, dialect, read };
  const special: Partial<Operations> = {
    listSubscribers: (input, context) => translated('listSubscribers', withPaging(input), context),
    updateSubscriber: createUpdate(parts),
    ...(dialect.deleteAnswersNothing && { deleteSubscriber: createDeletion(caller, parts) }),
  };
  return {
    ...caller,
    call: async (operation, input, context) =>
      special[operation]?.(input, context) ?? translated(operation, input, context),
  };
}

type Operations = {
  [N in StaffOperation]: (input: OperationInput<N>, context: CallContext) => Promise<UpstreamAnswer>;
};

/** The parts of operations that need more than one call. */
interface Parts {
  dialect: Dialect;
  /** Makes a call whose answer is in the contract's shape. */
  translated: Caller['call'];
  /** Reads a subscriber as it is now, with all lists. */
  read: (id: number, context: CallContext) => Promise<UpstreamAnswer>;
}

/** Always sends the page and its size, because another service may have other defaults. */
function withPaging({ query }: OperationInput<'listSubscribers'>): OperationInput<'listSubscribers'> {
  return { query: { Page: 1, PageSize: pageSizes.usual, ...query } };
}

/** An update by the contract's rules: omitted fields keep their values, and a missing subscriber is a 404. */
function createUpdate({ translated, dialect, read }: Parts): Operations['updateSubscriber'] {
  return async (input, context) => {
    if (!dialect.omittedFieldsAreReset || isWhole(input.body)) return send(input, context);
    const before = await read(input.params.id, context);
    if (before.status !== 200) return before;
    // Bound to the version that the other fields come from, if the service has versions.
    const ifMatch = context.ifMatch ?? before.headers.get('ETag');
    return send({ ...input, body: { ...inputOf(before), ...input.body } }, { ...context, ifMatch });
  };

  async function send(input: UpdateInput, context: CallContext): Promise<UpstreamAnswer> {
    const answer = await translated('updateSubscriber', input, context);
    // A 422 without fields may mean that the subscriber does not exist.
    if (!dialect.missingIs422 || answer.status !== 422 || readProblem(answer)?.errors) return answer;
    const now = await read(input.params.id, context);
    return now.status === 404 ? now : answer;
  }
}

type UpdateInput = OperationInput<'updateSubscriber'>;

const isWhole = (body: UpdateInput['body']) => enteredFields.every((field) => body[field] !== undefined);

/** The fields of a record that staff enter, without those that the service adds. */
function inputOf(answer: UpstreamAnswer): UpdateInput['body'] {
  const json = readJson(answer);
  const record = Object(json.ok ? json.value : null) as SubscriberInput;
  return Object.fromEntries(enteredFields.map((field) => [field, record[field]]));
}

/** A deletion that answers the record as it last was, for a service whose deletions answer nothing. */
function createDeletion(caller: Caller, { dialect, read }: Parts): Operations['deleteSubscriber'] {
  return async (input, context) => {
    const before = await read(input.params.id, context);
    if (before.status !== 200) return before;
    const answer = await caller.call('deleteSubscriber', input, context);
    const done = answer.status === 200 || answer.status === 204;
    return done ? before : translateRefusal('deleteSubscriber', answer, dialect);
  };
}
