import type { OperationInput } from '../../../contract/service/api.ts';
import type { Caller, Errand } from '../call.ts';
import type { Parts } from './parts.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { translateRefusal } from './refusal.ts';

/** A deletion that answers the record as it last was, by a service that does not say. */
export function createDeletion(caller: Caller, { dialect, read }: Parts) {
  return async (input: OperationInput<'deleteSubscriber'>, errand: Errand): Promise<UpstreamAnswer> => {
    const before = await read(input.params.id, errand);
    if (before.status !== 200) return before;
    const answer = await caller.call('deleteSubscriber', input, errand);
    const done = answer.status === 200 || answer.status === 204;
    return done ? before : translateRefusal('deleteSubscriber', answer, dialect);
  };
}
