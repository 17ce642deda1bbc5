import { beforeAll, describe } from 'vitest';
import { conflicts } from './conflicts.ts';
import { errors } from './errors.ts';
import { everyAnswer } from './every-answer.ts';
import { fields } from './fields.ts';
import { list } from './list.ts';
import { once } from './once.ts';
import { operations } from './operations.ts';
import { shapes } from './shapes.ts';
import { createBegin, type Subject } from './subject.ts';
import { texts } from './texts.ts';
import { tokens } from './tokens.ts';
import { usernames } from './usernames.ts';

/**
 * What the contract says of a Subscriber Management Service, line by line, against nothing but its `fetch`: so it is
 * for the service in this process, in a browser's tab and anywhere on the net alike. It takes the service to have
 * other subscribers than its own, and leaves none behind.
 *
 * @param options.keys whether the service knows `Idempotency-Key`, which is an extension: one elsewhere need not
 */
export function describeConformance(
  open: () => Promise<Subject>,
  { keys = true }: { keys?: boolean } = {},
): void {
  const opened = Promise.withResolvers<Subject>();
  // Before the tests: what is opened within one ends with it.
  beforeAll(async () => opened.resolve(await open()));
  const begin = createBegin(opened.promise);
  describe('tokens', () => {
    tokens(begin);
  });
  describe('operations', () => {
    operations(begin);
  });
  describe('the shapes of', () => {
    shapes(begin);
  });
  describe('the list', () => {
    list(begin);
  });
  describe('the fields of a body', () => {
    fields(begin);
  });
  describe('usernames', () => {
    usernames(begin);
  });
  describe('texts', () => {
    texts(begin);
  });
  describe('ETag and If-Match', () => {
    conflicts(begin);
  });
  describe.each(keys ? ['Idempotency-Key'] : [])('%s', () => {
    once(begin);
  });
  describe('errors', () => {
    errors(begin);
  });
  describe('every answer', () => {
    everyAnswer(begin);
  });
}
