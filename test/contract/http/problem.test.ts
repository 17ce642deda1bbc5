import * as z from 'zod/mini';
import { describe, expect, it, test } from 'vitest';
import { codeOf, problemAnswer } from '../../../src/contract/http/answer.ts';
import { ProblemBody, fieldErrors, Problem } from '../../../src/contract/http/problem.ts';
import { Credentials } from '../../../src/contract/bff/password.ts';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf } from '../../support/contract/faults.ts';
import { problemCodes, problems } from '../../../src/contract/http/problem-codes.ts';

describe('a problem', () => {
  it('comes back from the wire with its code, which has an error status and a title without a full stop', () => {
    for (const code of problemCodes) {
      const problem = problemAnswer(new Problem(code, 'What to do.'), 'r1').value;
      const read = ProblemBody.parse(JSON.parse(JSON.stringify(problem)));
      expect(codeOf(read)).toBe(code);
      expect(read).toEqual(problem);
      const [status, title] = problems[code];
      expect(`${status} ${title}`, code).toMatch(/^[45]\d\d [A-Z].*[^.]$/);
    }
  });

  it('has no code of ours for any other type', () => {
    const urn = 'urn:subscriber-desk:problem:';
    const types = ['about:blank', '', 'invalid-input', `https://example.com/${urn}invalid-input`];
    const codes = ['', 'unheard-of', 'constructor', '__proto__'].map((code) => urn + code);
    for (const type of [...types, ...codes])
      expect(codeOf({ type, title: '', status: 400, detail: '', requestId: '' }), type).toBeNull();
  });
});

describe('the faults that zod finds', () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) });
  const faults = (of: z.ZodMiniType, value: unknown) => ({
    ...fieldErrors(z.safeParse(of, value).error?.issues ?? []),
  });

  test('faults are named by their path, unknown fields by their own name, the value as a whole as `body`', () => {
    expect(faults(schema, { list: [{ name: 'a' }, { name: 1, nick: 2 }], extra: 3 })).toEqual({
      'list.1.name': ['This must be text.'],
      'list.1.nick': ['There is no field with this name. Check its spelling, or remove it.'],
      extra: ['There is no field with this name. Check its spelling, or remove it.'],
    });
    expect(faults(schema, 7)).toEqual({ body: ['This must be an object.'] });
  });

  test('faults are listed once each and all of one field, without the length of a value that is not text', () => {
    expect(faultsOf(UpdateBody, { username: [], maxConnections: 2 ** 53 })).toEqual({
      username: ['Enter a username.'],
      maxConnections: ['Enter a whole number from 1 to 1000.'],
    });
    expect(faultsOf(Credentials, { name: 'kari', password: Array(129) })).toEqual({
      password: ['This must be text.'],
    });
    const twice = z.string().check(z.minLength(3, 'Longer.'), z.regex(/\d/, 'With a digit.'));
    expect(faults(twice, 'a')).toEqual({ body: ['Longer.', 'With a digit.'] });
  });

  test('faults are looked for in the first thousand unknown fields alone', () => {
    const value = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`f${index}`, 1]));
    expect(Object.keys(faults(z.strictObject({}), value))).toHaveLength(1000);
  });

  test('faults have a sentence where the schema has none of its own', () => {
    for (const [of, value, sentence] of [
      [z.string(), undefined, 'Enter a value.'],
      [z.number(), 'x', 'This must be a number.'],
      [z.int(), 1.5, 'This must be a whole number.'],
      [z.boolean(), 1, 'This must be true or false.'],
      [z.array(z.int()), 1, 'This must be a list.'],
      [z.enum(['a', 'b']), 'c', 'Choose one of: a, b.'],
      [z.number().check(z.minimum(3)), 1, 'Use at least 3.'],
      [z.number().check(z.maximum(3)), 4, 'Use at most 3.'],
      [z.string().check(z.regex(/^a/)), 'b', 'This value can’t be used. Check it and try again.'],
    ] as const)
      expect(faults(of, value)).toEqual({ body: [sentence] });
  });
});

test('zod compiles no code at run time, which the content security policy would block', () => {
  expect(z.config().jitless).toBe(true);
});
