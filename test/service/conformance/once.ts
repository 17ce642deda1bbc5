import { expect, it } from 'vitest';
import { changeHeaders, changeLimits } from '../../../src/contract/http/change-headers.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemLine } from '../../support/service/problem-of.ts';
import type { Begin, Caller } from './subject.ts';

const { key: keyHeader, replayed } = changeHeaders;

/** Keys that nobody has used yet: a service remembers them for a day, from one run of the suite to the next. */
const newKey = () => `conformance-${crypto.randomUUID()}`;

/** A function that sends a change of a subscriber again and again, each time with the same key. */
type Repeat = () => Promise<Response>;

/** Every kind of change, of a subscriber that is there. */
const kinds = {
  'POST /subscribers': (caller) => repeat(caller, 'POST', '/subscribers', caller.annaWhole),
  'PUT /subscribers/{id}': async (caller) =>
    repeat(caller, 'PUT', await pathOfAnna(caller), { note: 'changed once' }),
  'DELETE /subscribers/{id}': async (caller) => repeat(caller, 'DELETE', await pathOfAnna(caller)),
  'POST /subscribers/{id}/regenerate-token': async (caller) =>
    repeat(caller, 'POST', `${await pathOfAnna(caller)}/regenerate-token`),
} satisfies Record<string, (caller: Caller) => Promise<Repeat> | Repeat>;

const pathOfAnna = async ({ client, anna }: Caller) =>
  `/subscribers/${(await client.createSubscriber({ body: anna })).data.id}`;

function repeat({ send }: Caller, method: string, path: string, body?: object, key = newKey()): Repeat {
  return () => send(method, path, { headers: { [keyHeader]: key }, ...(body && { body }) });
}

/** An extension of ours: with a key, a change whose answer was lost can be sent again. */
export function once(begin: Begin): void {
  it('lets each kind of change be done once and answered the same again, which the answer says', async () => {
    for (const [kind, prepare] of Object.entries(kinds)) {
      const send = await prepare(await begin());
      const [first, again] = [await send(), await send()];
      const marks = [first, again].map(({ headers }) => headers.get(replayed));
      expect([first.status, ...marks], kind).toEqual([200, null, 'true']);
      expect(await contentOf(again), kind).toEqual(await contentOf(first));
    }
  });

  it('lets each kind of change be done once for many who send it at once', async () => {
    for (const [kind, prepare] of Object.entries(kinds)) {
      const send = await prepare(await begin());
      const length = kind.startsWith('PUT') ? 50 : 10;
      const answers = await Promise.all(Array.from({ length }, send));
      expect(
        answers.filter(({ headers }) => headers.get(replayed) === null),
        kind,
      ).toHaveLength(1);
      const contents = new Set(await Promise.all(answers.map(contentOf)));
      expect([answers[0]?.status, contents.size], kind).toEqual([200, 1]);
    }
  });

  it('belongs to one change: with another it is refused, and nothing is changed', async () => {
    const caller = await begin();
    const { client, anna, named } = caller;
    const key = newKey();
    await repeat(caller, 'POST', '/subscribers', anna, key)();
    const other = repeat(caller, 'POST', '/subscribers', { ...anna, username: named('Bert') }, key);
    expect(await problemLine(await other())).toBe(`422 key-used-before: ${keyHeader}`);
    expect((await client.listSubscribers({ query: { Username: named('') } })).data.totalCount).toBe(1);
  });

  it('may be sent again with a change that was refused', async () => {
    const caller = await begin();
    const { client, anna, named } = caller;
    const { id } = (await client.createSubscriber({ body: anna })).data;
    const again = repeat(caller, 'POST', '/subscribers', anna);
    expect((await again()).status).toBe(422);
    await client.updateSubscriber({ params: { id }, body: { username: named('Bert') } });
    const done = await again();
    expect([done.status, done.headers.get(replayed)]).toEqual([200, null]);
  });

  it('is refused by its name if it is too short or long or has a blank, and nothing is changed', async () => {
    const caller = await begin();
    const wrong = ['short', 'with a blank in it', 'x'.repeat(changeLimits.key.most + 1)];
    await expectOutcomes({ [`422 invalid-input: ${keyHeader}`]: wrong }, async (key) =>
      problemLine(await repeat(caller, 'POST', '/subscribers', caller.anna, key)()),
    );
    const query = { Username: caller.named('') };
    expect((await caller.client.listSubscribers({ query })).data.totalCount).toBe(0);
  });
}

/** The part of an answer that is the same whenever it is given again. */
const contentOf = async (response: Response) =>
  JSON.stringify([response.status, response.headers.get('ETag'), await response.text()]);
