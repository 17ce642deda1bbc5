import { beforeAll, describe } from 'vitest';
import type { Subject } from '../../support/service/calls.ts';
import { conflicts, etags } from './conflicts.ts';
import { bodyErrors, errors } from './errors.ts';
import { everyAnswer } from './every-answer.ts';
import { fields } from './fields.ts';
import { list } from './list.ts';
import { once } from './once.ts';
import { operations } from './operations.ts';
import { shapes } from './shapes.ts';
import { createBegin } from './subject.ts';
import { texts } from './texts.ts';
import { tokens } from './tokens.ts';
import { usernames } from './usernames.ts';

/**
 * Describes a Subscriber Management Service by the contract, against nothing but its `fetch`: so it is for the service
 * in this process, in a browser's tab and anywhere on the net alike. It takes the service to have other subscribers
 * than its own, and leaves none behind.
 *
 * @param options.without subjects that are left out, such as `Idempotency-Key`, an extension that need not be known
 */
export function describeConformance(
  open: () => Promise<Subject & { prefix?: string }>,
  { without = [] }: { without?: readonly string[] } = {},
): void {
  const opened = Promise.withResolvers<Subject & { prefix?: string }>();
  // Before the tests: what is opened within one ends with it.
  beforeAll(async () => opened.resolve(await open()));
  const begin = createBegin(opened.promise);
  const subjects = {
    'POST /oauth/token': tokens,
    'GET /subscribers': list,
    'a field of a body': fields,
    'a username': usernames,
    'a text': texts,
    'an ETag': etags,
    'Idempotency-Key': once,
    'an error': errors,
    'every answer': everyAnswer,
  };
  const isIn = ([name]: [string, unknown]) => !without.includes(name);
  describe.each(Object.entries(subjects).filter(isIn))('%s', (_, describeSubject) => {
    describeSubject(begin);
  });
  operations(begin);
  shapes(begin);
  if (!without.includes('If-Match')) conflicts(begin);
  bodyErrors(begin);
}
