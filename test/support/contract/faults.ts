import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { type FieldErrors, fieldErrors } from '../../../src/contract/http/problem.ts';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';

/** Faults that a schema finds in a value, by field; nothing wrong is `{}`. */
export function faultsOf(schema: z.ZodMiniType, value: unknown): FieldErrors {
  const read = z.safeDecode(schema, value);
  return read.success ? {} : { ...fieldErrors(read.error.issues) };
}

/**
 * The outcome of a single field of a subscriber: `accepted` as it is, JSON of what is stored instead, or `refused: `
 * with the paths at fault.
 */
export const outcomeOf = (name: keyof UpdateBody) => (value: unknown) => {
  const read = z.safeDecode(UpdateBody, { [name]: value });
  if (!read.success) return `refused: ${Object.keys(fieldErrors(read.error.issues)).join(', ')}`;
  return isDeepStrictEqual(read.data[name], value) ? 'accepted' : JSON.stringify(read.data[name]);
};

/** The three fields without which no subscriber is created. */
export const required = {
  username: 'kari',
  email: 'kari@example.com',
  expiresAt: '2026-12-31T22:00:00Z',
} as const;

/** The same in one line, such as `name: Enter a name.`; `accepted` if nothing is wrong. */
export function sentencesOf(schema: z.ZodMiniType, value: unknown): string {
  const faults = Object.entries(faultsOf(schema, value));
  return faults.map(([name, sentences]) => `${name}: ${sentences.join(' ')}`).join('; ') || 'accepted';
}
