import * as z from 'zod/mini';
import { type FieldErrors } from '../../../src/contract/http/problem.ts';
import { fieldErrors } from '../../../src/contract/http/refusal.ts';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';

/** What a schema finds wrong with a value, by field; nothing wrong is `{}`. */
export function faultsOf(schema: z.ZodMiniType, value: unknown): FieldErrors {
  const read = z.safeDecode(schema, value);
  return read.success ? {} : { ...fieldErrors(read.error.issues) };
}

/** What a single field of a subscriber becomes, or the paths at which it is refused. */
export function readField(name: keyof UpdateBody, value: unknown): unknown {
  const read = z.safeDecode(UpdateBody, { [name]: value });
  return read.success ? read.data[name] : { refused: Object.keys(fieldErrors(read.error.issues)) };
}

/** The three fields without which no subscriber is created. */
export const required = {
  username: 'kari',
  email: 'kari@example.com',
  expiresAt: '2026-12-31T22:00:00Z',
} as const;
