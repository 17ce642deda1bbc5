import { beforeEach, describe, expect, it } from 'vitest';
import { messageLimits, occasions, type Message } from '../../../src/contract/bff/message.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';

const norsk = {
  occasion: 'extended',
  language: 'nb',
  name: 'Forlenget',
  text: 'Varer til {expires}.',
} as const;

let desk: TestDesk;
let mia: Awaited<ReturnType<TestDesk['signIn']>>;
let max: typeof mia;
let support: typeof mia;

const list = async (person = support) => (await person.bff.listMessages({})).data;
const names = async () => (await list()).map(({ name }) => name).toSorted();
const first = [
  'New playlist address',
  'Subscription details',
  'Subscription extended',
  'Token replaced',
  'Welcome',
];

beforeEach(async () => {
  desk = await createTestDesk({ staff: { mia: 'manager', max: 'manager', sue: 'support' } });
  [mia, max, support] = [await desk.signIn('mia'), await desk.signIn('max'), await desk.signIn('sue')];
});

describe('the list of messages that nobody has changed', () => {
  it('has an English one for each occasion', async () => {
    expect(await names()).toEqual(first);
    expect(new Set((await list()).map(({ occasion }) => occasion))).toEqual(new Set(occasions));
    expect(new Set((await list()).map(({ language }) => language))).toEqual(new Set(['en']));
  });

  it('keeps the others while one is changed or deleted like any other', async () => {
    const welcome = (await list()).find(({ name }) => name === 'Welcome');
    const { id = '', ...body } = welcome ?? {};
    await mia.ask('PUT', `/bff/messages/${id}`, { ...body, name: 'Hello' });
    expect(await names()).toEqual(['Hello', ...first.slice(0, 4)]);
    expect((await mia.ask('DELETE', `/bff/messages/${id}`)).status).toBe(204);
    expect(await names()).toEqual(first.slice(0, 4));
  });

  it('is back after the last one is deleted', async () => {
    for (const { id } of await list()) await mia.ask('DELETE', `/bff/messages/${id}`);
    expect(await names()).toEqual(first);
  });
});

describe('a message', () => {
  const add = async (): Promise<Message> => (await mia.bff.addMessage({ body: norsk })).data;

  it('is everybody’s once a manager adds or changes it', async () => {
    const added = await add();
    expect(added).toEqual({ ...norsk, id: expect.stringMatching(/^[\w-]{22}$/), version: 1 });
    expect(await list()).toContainEqual(added);
    const body = { ...norsk, language: 'nn', text: 'Varer til {expires}, {username}.', version: 1 } as const;
    const changed = (await max.bff.changeMessage({ params: { id: added.id }, body })).data;
    expect(changed).toEqual({ ...body, id: added.id, version: 2 });
    expect((await list()).filter(({ id }) => id === added.id)).toEqual([changed]);
  });

  it('is not overwritten if somebody else changed or deleted it meanwhile', async () => {
    const { id } = await add();
    await max.bff.changeMessage({ params: { id }, body: { ...norsk, text: 'Hei.', version: 1 } });
    const late = await mia.ask('PUT', `/bff/messages/${id}`, { ...norsk, text: 'Hallo.', version: 1 });
    expect(await outcomeOf(late)).toBe('412 changed-meanwhile');
    expect((await list()).find((message) => message.id === id)?.text).toBe('Hei.');
    await max.ask('DELETE', `/bff/messages/${id}`);
    for (const deleted of [
      await mia.ask('PUT', `/bff/messages/${id}`, { ...norsk, version: 2 }),
      await mia.ask('DELETE', `/bff/messages/${id}`),
    ])
      expect(await outcomeOf(deleted)).toBe('404 no-such-message');
  });

  it('is added once if several send the same name at the same time', async () => {
    // From then on, no insertion of the first ones makes the others wait.
    await mia.bff.addMessage({ body: { ...norsk, name: 'Noe annet' } });
    const send = (person: typeof mia) => person.ask('POST', '/bff/messages', norsk);
    const answers = await Promise.all([mia, max, mia, max, mia, max].map(send));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(await names()).toHaveLength(first.length + 2);
  });

  it('has a name of its own in its language only', async () => {
    const { id } = await add();
    const other = { ...norsk, name: 'Noe annet', version: 1 };
    for (const answer of [
      await mia.ask('POST', '/bff/messages', norsk),
      await mia.ask('PUT', `/bff/messages/first-extended`, { ...norsk, version: 1 }),
    ]) {
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ errors: { name: [expect.stringContaining('this name')] } });
    }
    expect((await mia.ask('POST', '/bff/messages', { ...norsk, language: 'sv' })).status).toBe(200);
    expect((await mia.ask('PUT', `/bff/messages/${id}`, other)).status).toBe(200);
  });

  it('is refused over the limit', async () => {
    const free = messageLimits.messages - first.length;
    for (let index = 0; index < free; index += 1)
      await mia.bff.addMessage({ body: { ...norsk, name: `Forlenget ${index}` } });
    const answer = await mia.ask('POST', '/bff/messages', norsk);
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { errors: { body: [expect.stringContaining('limit')] } },
    ]);
  });
});
