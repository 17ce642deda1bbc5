import { beforeEach, describe, expect, it } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';
import type { Answer } from '../../support/bff/upstream.ts';

const people = Array.from({ length: 6 }, (_, index) => person(`user-${index + 1}`));
const ids = people.map((_, index) => index + 1);

let desk: TestDesk;
beforeEach(async () => {
  desk = await createTestDesk({ people });
});

/** The service writes this, as JSON, instead of the name of the first subscriber. */
function renameFirst(json: string): void {
  const rename: Answer = async (_, next) => {
    const answer = await next();
    return new Response(
      (await answer.text()).replaceAll('"user-1"', () => json),
      answer,
    );
  };
  Object.assign(desk.upstream, { operation: rename, lookup: rename });
}

/** So long that no index of PostgreSQL takes it, also packed. */
const longName = Buffer.from(createSeededRandom(5).bytes(6000)).toString('base64url');

const odd = [
  ['half a surrogate pair', String.raw`"an\ud800na"`, 'an\uFFFDna'],
  ['the other half, in capitals', String.raw`"an\uDC00na"`, 'an\uFFFDna'],
  ['NUL', String.raw`"an\u0000na"`, 'an\uFFFDna'],
  ['8,000 characters', JSON.stringify(longName), longName.slice(0, 200)],
] as const;

describe.each(odd)('a subscriber whose name the service writes with %s', (_, json, stored) => {
  it('leaves the journal whole', async () => {
    renameFirst(json);
    const support = await desk.signIn('support');
    const params = { id: 1 };
    await support.bff.revealToken({ params });
    await support.api.updateSubscriber({ params, body: { note: 'Called.' } });
    const entries = await desk.db.selectFrom('journal').selectAll().where('subscriber_id', '=', 1).execute();
    expect(entries.map(({ operation, username, outcome }) => [operation, username, outcome])).toEqual([
      ['revealToken', stored, 'done'],
      ['updateSubscriber', stored, 'done'],
    ]);
    expect(await verifyJournal(desk.db, createMac(journalKey))).not.toHaveProperty('fault');
  });

  it('keeps no change of another from being made', async () => {
    renameFirst(json);
    const support = await desk.signIn('support');
    const change = (id: number) =>
      support.api.updateSubscriber({ params: { id }, body: { note: 'Called.' } });
    const made = await Promise.allSettled(ids.map(change));
    expect(made.map(({ status }) => status)).toEqual(ids.map(() => 'fulfilled'));
  });
});

it('names with a character beyond 16 bits, however the service writes it, are kept', async () => {
  renameFirst(String.raw`"an\ud83d\ude00na"`);
  const support = await desk.signIn('support');
  expect((await support.api.getSubscriber({ params: { id: 1 }, query: {} })).data.username).toBe('an😀na');
});
