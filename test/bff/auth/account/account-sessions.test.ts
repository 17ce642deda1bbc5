import { beforeEach, describe, expect, it } from 'vitest';
import type { EventEntry } from '../../../../src/contract/bff/journal.ts';
import { createPerson, isIn, type Person } from '../../../support/bff/person.ts';
import { createTestDesk, type TestDesk } from '../../../support/desk.ts';
import { credentialsOf, outcomeOf, publicUrl } from '../../../support/bff/browser.ts';

const minute = 60_000;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

let desk: TestDesk;
beforeEach(async () => {
  desk = await createTestDesk();
});

/** Signs in with a browser that calls itself so. */
async function enter(userAgent: string, name = 'support', server: Pick<TestDesk, 'fetch'> = desk) {
  const person = createPerson((request) => {
    request.headers.set('User-Agent', userAgent);
    return server.fetch(request);
  }, publicUrl);
  await person.bff.signIn({ body: credentialsOf(name) });
  return person;
}

const sessionsOf = async (person: Person) => (await person.bff.listSessions({})).data;
const idOf = async (person: Person) => (await sessionsOf(person)).find((own) => own.isCurrent)?.id ?? '';
const at = (ms: number) => new Date(ms).toISOString();

describe('the list of own sessions', () => {
  it('has their browsers, this one first', async () => {
    const began = desk.time.now;
    const one = await enter(safari);
    desk.time.now += 5 * minute;
    const other = await enter(firefox);
    await enter(firefox, 'colleague');
    desk.time.now += 2 * minute;
    const id = expect.stringMatching(/^[\w-]{22}$/);
    const [since, lastUsed] = [at(began + 5 * minute), at(began + 7 * minute)];
    expect(await sessionsOf(one)).toEqual([
      { id, browser: 'Safari on iPhone', since: at(began), lastUsed, isCurrent: true },
      { id, browser: 'Firefox on Linux', since, lastUsed: since, isCurrent: false },
    ]);
    expect((await sessionsOf(other)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  it('has none that has expired', async () => {
    await enter(safari);
    desk.time.now += 30 * minute;
    const stored = await desk.rows('sessions');
    const support = await enter(firefox);
    expect(await sessionsOf(support)).toHaveLength(1);
    const ended = support.ask('DELETE', `/bff/sessions/${stored[0]?.public_id}`);
    expect(await outcomeOf(ended)).toBe('404 no-such-session');
    expect((await support.bff.endOtherSessions({})).data).toEqual({ ended: 0 });
  });

  it('has nothing that opens a session, and nothing else of what the browser sent', async () => {
    const support = await enter(`${firefox} canary-of-the-header`);
    const rows = await desk.rows('sessions');
    const listed = JSON.stringify(await sessionsOf(support));
    for (const { key } of rows) expect(listed).not.toContain(key);
    expect(JSON.stringify([rows, desk.logs])).not.toContain('canary-of-the-header');
  });
});

describe('a session that its user ends', () => {
  it('is over at its next request, at whichever server, and no other is', async () => {
    const [here, there] = [await enter(firefox), await enter(safari, 'support', desk.openReplica())];
    const third = await enter(firefox);
    await here.bff.endSession({ params: { id: await idOf(there) } });
    expect(await Promise.all([here, there, third].map(isIn))).toEqual([true, false, true]);
    expect(await outcomeOf(there.ask('GET', '/bff/sessions'))).toBe('401 not-signed-in');
  });

  it('cannot be somebody else’s, which is refused with the same words as one that nobody has', async () => {
    const [support, colleague] = [await enter(firefox), await enter(safari, 'colleague')];
    const answers = [await idOf(colleague), 'nobodys'].map(async (id) => {
      const answer = await support.ask('DELETE', `/bff/sessions/${id}`);
      const { requestId: _, ...problem }: Record<string, unknown> = await answer.json();
      return problem;
    });
    const [others, unknown] = await Promise.all(answers);
    expect(others).toMatchObject({ status: 404, detail: expect.stringMatching(/^You have no such session/) });
    expect(others).toEqual(unknown);
    expect(await isIn(colleague)).toBe(true);
  });

  it('is one of all but this one and those of other accounts', async () => {
    const support = [await enter(firefox), await enter(safari), await enter(firefox)] as const;
    const colleague = await enter(firefox, 'colleague');
    expect((await support[1].bff.endOtherSessions({})).data).toEqual({ ended: 2 });
    expect(await Promise.all([...support, colleague].map(isIn))).toEqual([false, true, false, true]);
    expect((await support[1].bff.endOtherSessions({})).data).toEqual({ ended: 0 });
  });

  it('goes on where the journal cannot be written', async () => {
    const [support, other] = [await enter(firefox), await enter(safari)];
    const id = await idOf(other);
    await desk.db.schema.dropTable('journal').execute();
    for (const path of [`/bff/sessions/${id}`, '/bff/sessions'])
      expect((await support.ask('DELETE', path)).status).toBe(500);
    expect(await isIn(other)).toBe(true);
  });

  it('is recorded: in which browser, or how many; not if there was none', async () => {
    const [support, other] = [await enter(firefox), await enter(safari)];
    await support.bff.endSession({ params: { id: await idOf(other) } });
    await support.bff.endOtherSessions({});
    await enter(safari);
    await enter(safari);
    await support.bff.endOtherSessions({});
    const { items } = (await support.bff.listActivity({ query: { kind: 'sign-in' } })).data;
    const ended = (items as EventEntry[]).filter(({ operation }) => operation !== 'signIn');
    expect(ended.map(({ operation, details, staff }) => [staff.name, operation, details])).toEqual([
      ['support', 'endOtherSessions', { sessions: 2 }],
      ['support', 'endSession', { sessions: 1, browser: 'Safari on iPhone' }],
    ]);
  });
});
