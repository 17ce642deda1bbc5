import { onTestFinished } from 'vitest';
import { createCalls, type Calls, type Subject } from '../../support/service/calls.ts';
import { anna, annaWhole } from '../../support/service/people.ts';

/** The subject as a test calls it. What the test creates is deleted when it is over. */
export interface Caller extends Calls {
  /** A username that nobody else has: each caller has its own. */
  named: (name: string) => string;
  /** Bodies of a create: what is required and nothing else, and every field, none at its default. */
  anna: typeof anna;
  annaWhole: typeof annaWhole;
}

/** The first call of each test of the suite, and of each row of a table that needs subscribers of its own. */
export type Begin = () => Promise<Caller>;

/** @param opened its usernames all begin with `prefix`, so that nobody else has them */
export function createBegin(opened: Promise<Subject & { prefix?: string }>): Begin {
  const created: number[] = [];
  const calls = opened.then((subject) =>
    createCalls({ ...subject, fetch: noteCreated(subject.fetch, created) }),
  );
  // Who waits for it gets the error.
  calls.catch(() => undefined);
  let callers = 0;
  return async () => {
    const { prefix = 'of-the-suite' } = await opened;
    const { send, ...others } = await calls;
    onTestFinished(async () => {
      for (const id of created.splice(0)) await send('DELETE', `/subscribers/${id}`);
    });
    const own = `${prefix}-${(callers += 1)}-`;
    const named = (name: string) => `${own}${name}`;
    const username = named('Anna');
    return { ...others, send, named, anna: { ...anna, username }, annaWhole: { ...annaWhole, username } };
  };
}

function noteCreated(fetch: Subject['fetch'], created: number[]): Subject['fetch'] {
  return async (request) => {
    const response = await fetch(request);
    if (request.method === 'POST' && response.status === 200 && request.url.endsWith('/subscribers'))
      created.push(((await response.clone().json()) as { id: number }).id);
    return response;
  };
}
