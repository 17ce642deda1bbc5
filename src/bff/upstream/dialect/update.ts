import type { OperationInput } from '../../../contract/service/api.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import type { Errand } from '../call.ts';
import type { Parts } from './parts.ts';
import { readJson } from '../read-json.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { problemIn } from './refusal.ts';

type Input = OperationInput<'updateSubscriber'>;

/** An update by the contract's rules: it keeps what it leaves out, and one of nobody is a 404. */
export function createUpdate({ spoken, dialect, read }: Parts) {
  return async (input: Input, errand: Errand): Promise<UpstreamAnswer> => {
    if (!dialect.omittedFieldsAreReset || isWhole(input.body)) return send(input, errand);
    const before = await read(input.params.id, errand);
    if (before.status !== 200) return before;
    // Bound to the version that the rest is taken from, where the service has versions.
    const ifMatch = errand.ifMatch ?? before.headers.get('ETag');
    return send({ ...input, body: { ...enteredIn(before), ...input.body } }, { ...errand, ifMatch });
  };

  async function send(input: Input, errand: Errand): Promise<UpstreamAnswer> {
    const answer = await spoken('updateSubscriber', input, errand);
    // A 422 that blames no field may mean that there is nobody to update.
    if (!dialect.missingIs422 || answer.status !== 422 || problemIn(answer)?.errors) return answer;
    const now = await read(input.params.id, errand);
    return now.status === 404 ? now : answer;
  }
}

const fields = Object.keys(SubscriberInput.shape) as (keyof SubscriberInput)[];

const isWhole = (body: Input['body']) => fields.every((field) => body[field] !== undefined);

/** What a person once entered into a record, without what the service adds. */
function enteredIn(answer: UpstreamAnswer): Input['body'] {
  const json = readJson(answer);
  const record = Object(json.ok ? json.value : null) as SubscriberInput;
  return Object.fromEntries(fields.map((field) => [field, record[field]]));
}
