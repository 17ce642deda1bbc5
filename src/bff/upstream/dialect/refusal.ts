import type { Endpoint } from '../../../contract/http/endpoint.ts';
import type { StaffOperation } from '../../../contract/bff/permission.ts';
import { staffApi } from '../../../contract/bff/staff-api.ts';
import { makeProblem, problems } from '../../../contract/http/problem-answer.ts';
import { Problem, type FieldErrors, type ProblemCode } from '../../../contract/http/problem.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { readJson } from '../read-json.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { asAnswer } from './answer.ts';
import { valueAt } from './pointer.ts';
import type { Dialect } from './shape.ts';

/** A refusal that is the caller's to mend as the contract's problem; every other answer as it is. */
export function translateRefusal(
  operation: StaffOperation,
  answer: UpstreamAnswer,
  dialect: Dialect,
): UpstreamAnswer {
  const row: Endpoint = staffApi[operation];
  if (answer.status === 412)
    return refusal('changed-meanwhile', 'Load it again and make your change once more.');
  // What has no body has nothing else that could be wrong: the desk itself checked that the id is one.
  const missing = answer.status === 404 || (answer.status === 422 && dialect.missingIs422 && !row.body);
  if (missing && row.params)
    return refusal('no-such-subscriber', 'It may have been deleted. Search for it again.');
  if (answer.status !== 422) return answer;
  const errors = fieldErrorsIn(answer, dialect);
  const fields = Object.keys(errors);
  if (fields.length === 0)
    return refusal('invalid-input', 'The service refuses this input. Check it and send it again.');
  return refusal('invalid-input', `Correct ${fields.join(', ')} and send it again.`, errors);
}

/** The problem in an answer that was translated. */
export function problemIn(answer: UpstreamAnswer): Problem | null {
  const json = readJson(answer);
  return json.ok ? (Problem.safeParse(json.value).data ?? null) : null;
}

/** The request id is put in where it is carried back. */
function refusal(code: ProblemCode, detail: string, errors?: FieldErrors): UpstreamAnswer {
  return asAnswer({ headers: new Headers() }, makeProblem(code, detail, '', errors), problems[code][0]);
}

/** The sentences of a 422 by our own field names; what is no field of ours stands under `body`. */
function fieldErrorsIn(answer: UpstreamAnswer, { errors }: Dialect): FieldErrors {
  const json = readJson(answer);
  const given = valueAt(json.ok ? json.value : null, errors.fields);
  const ours = Object.create(null) as FieldErrors;
  if (typeof given !== 'object' || given === null) return ours;
  for (const [name, value] of Object.entries(given)) {
    const sentences = [value].flat().filter((text) => typeof text === 'string' && text.trim() !== '');
    const field = ourName(name, errors.names) ?? 'body';
    if (sentences.length > 0) ours[field] = [...(ours[field] ?? []), ...sentences];
  }
  return ours;
}

/** `Bundles[2]` → `bundles.2`; null for what is no field of ours. */
function ourName(name: string, names: Dialect['errors']['names']): string | null {
  const [, word = '', place] = /^(\w+)(?:[[.](\d+)\]?)?$/.exec(name) ?? [];
  const field =
    names === 'PascalCase' ? word.slice(0, 1).toLowerCase() + word.slice(1) : (names[word] ?? word);
  if (!Object.hasOwn(SubscriberInput.shape, field)) return null;
  return place === undefined ? field : `${field}.${place}`;
}
