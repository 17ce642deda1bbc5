import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { codeOf, makeProblem, problemAnswer } from '../../../src/contract/http/problem-answer.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
import { fieldErrors, Refusal } from '../../../src/contract/http/refusal.ts';
import { Credentials } from '../../../src/contract/bff/credentials.ts';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf } from '../../support/contract/faults.ts';
import { problemCodes, problems } from '../../../src/contract/http/problem-codes.ts';

describe.each(problemCodes)('the problem %s', (code) => {
  test('goes to the wire and comes back as the same code', () => {
    const problem = makeProblem(code, 'What to do.', 'r1');
    const read = Problem.parse(JSON.parse(JSON.stringify(problem)));
    expect(codeOf(read)).toBe(code);
    expect(read).toEqual(problem);
  });

  test('has an error status and a title without a full stop', () => {
    const [status, title] = problems[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  });
});

test.each([
  'about:blank',
  '',
  'invalid-input',
  'urn:subscriber-desk:problem:',
  'urn:subscriber-desk:problem:unheard-of',
  'urn:subscriber-desk:problem:constructor',
  'urn:subscriber-desk:problem:__proto__',
  'https://example.com/urn:subscriber-desk:problem:invalid-input',
])('the type %j is no code of ours', (type) => {
  expect(codeOf({ type, title: '', status: 400, detail: '', requestId: '' })).toBeNull();
});

test('a problem has errors only where there are some', () => {
  expect(makeProblem('not-allowed', 'Ask a manager.', 'r1')).toEqual({
    type: 'urn:subscriber-desk:problem:not-allowed',
    title: 'Not allowed',
    status: 403,
    detail: 'Ask a manager.',
    requestId: 'r1',
  });
  expect(makeProblem('invalid-input', 'Correct a.', 'r1', { a: ['Wrong.'] }).errors).toEqual({
    a: ['Wrong.'],
  });
});

test('a refusal is answered as problem+json with its headers and the request id', async () => {
  const headers = { Allow: 'GET', 'Content-Type': 'text/html' };
  const answer = problemAnswer(new Refusal('method-not-allowed', 'Use GET.', { headers }), 'r7');
  expect(answer.status).toBe(405);
  expect(Object.fromEntries(answer.headers)).toEqual({
    allow: 'GET',
    'content-type': 'application/problem+json',
    'x-request-id': 'r7',
  });
  expect(await answer.json()).toEqual(makeProblem('method-not-allowed', 'Use GET.', 'r7'));
});

describe('the faults that zod finds', () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) });
  const faults = (value: unknown) => ({ ...fieldErrors(z.safeParse(schema, value).error?.issues ?? []) });

  test('are named by their path, and unknown fields by their own name', () => {
    expect(faults({ list: [{ name: 'a' }, { name: 1, nick: 2 }], extra: 3 })).toEqual({
      'list.1.name': ['This must be text.'],
      'list.1.nick': ['There is no field with this name. Check its spelling, or remove it.'],
      extra: ['There is no field with this name. Check its spelling, or remove it.'],
    });
  });

  test('of the value as a whole are named `body`', () => {
    expect(faults(7)).toEqual({ body: ['This must be an object.'] });
  });

  test('are listed once each, without the length of a value that is not text', () => {
    expect(faultsOf(UpdateBody, { username: [], maxConnections: 2 ** 53 })).toEqual({
      username: ['Enter a username.'],
      maxConnections: ['Enter a whole number from 1 to 1000.'],
    });
    expect(faultsOf(Credentials, { name: 'kari', password: Array(129) })).toEqual({
      password: ['This must be text.'],
    });
  });

  test('of one field are all kept', () => {
    const twice = z.string().check(z.minLength(3, 'Longer.'), z.regex(/\d/, 'With a digit.'));
    expect({ ...fieldErrors(z.safeParse(twice, 'a').error?.issues ?? []) }).toEqual({
      body: ['Longer.', 'With a digit.'],
    });
  });
});

describe('the sentence of a fault whose schema has none of its own', () => {
  test.each([
    [z.string(), undefined, 'Enter a value.'],
    [z.number(), 'x', 'This must be a number.'],
    [z.int(), 1.5, 'This must be a whole number.'],
    [z.boolean(), 1, 'This must be true or false.'],
    [z.array(z.int()), 1, 'This must be a list.'],
    [z.enum(['a', 'b']), 'c', 'Choose one of: a, b.'],
    [z.number().check(z.minimum(3)), 1, 'Use at least 3.'],
    [z.number().check(z.maximum(3)), 4, 'Use at most 3.'],
    [z.string().check(z.regex(/^a/)), 'b', 'This value cannot be used. Check it and try again.'],
  ])('case %#: %#', (schema, value, sentence) => {
    expect(z.safeParse(schema, value).error?.issues.map(({ message }) => message)).toEqual([sentence]);
  });
});

test('zod compiles no code at run time, which the content security policy would block', () => {
  expect(z.config().jitless).toBe(true);
});
