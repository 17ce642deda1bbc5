import { beforeEach, describe, expect, test } from 'vitest';
import { changeHeaders, writeReason } from '../../../src/contract/http/change-headers.ts';
import { maskedToken } from '../../../src/contract/bff/access-token.ts';
import { entered, openRealDesk, type RealDesk } from '../../support/bff/real-service.ts';

let there: RealDesk;
let ann: ReturnType<RealDesk['enter']>;

beforeEach(async () => {
  there = await openRealDesk();
  ann = there.enter('manager', 'Ann');
});

const create = async (change: object = {}) =>
  (await ann.api.createSubscriber({ body: { ...entered, ...change } })).data;
const activity = async (query: object = {}) => (await ann.desk.listActivity({ query })).data.items;
const newest = async () => {
  const [entry] = await activity();
  if (!entry) throw new Error('The journal is empty.');
  return entry;
};

describe('each change is an entry that says who did what', () => {
  test('a creation, with all that there is now', async () => {
    const { id, accessToken, ...rest } = await create();
    expect(await newest()).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      at: expect.stringMatching(/^2026-01-01T00:00:\d\d\.\d{3}Z$/),
      staff: { id: 'tab', name: 'Ann' },
      operation: 'createSubscriber',
      subscriberId: id,
      username: 'ann',
      before: null,
      after: { ...rest, accessToken: maskedToken(accessToken) },
      outcome: 'done',
      code: null,
      reason: null,
      requestId: expect.stringMatching(/^[\w-]{16}$/),
      undoOf: null,
      undoneBy: null,
    });
  });

  test('an update, with the fields that differ, though the whole was sent', async () => {
    const { id } = await create();
    await ann.api.updateSubscriber({
      params: { id },
      body: { ...entered, note: 'Called.', bundles: [2, 3] },
    });
    expect(await newest()).toMatchObject({
      operation: 'updateSubscriber',
      subscriberId: id,
      before: { note: '', bundles: [1, 2] },
      after: { note: 'Called.', bundles: [2, 3] },
    });
  });

  test('a deletion, with all that there was', async () => {
    const { id, accessToken, ...rest } = await create();
    await ann.api.deleteSubscriber({ params: { id } });
    expect(await newest()).toMatchObject({
      operation: 'deleteSubscriber',
      before: { ...rest, accessToken: maskedToken(accessToken) },
      after: null,
    });
  });

  test('a new token, both masked', async () => {
    const { id, accessToken } = await create();
    const { data } = await ann.api.regenerateToken({ params: { id } });
    expect(await newest()).toMatchObject({
      operation: 'regenerateToken',
      before: { accessToken: maskedToken(accessToken) },
      after: { accessToken: maskedToken(data.accessToken) },
    });
  });

  test('with the reason that was given', async () => {
    const headers = { [changeHeaders.reason]: writeReason(' Kunden ringte – «på nytt» 🙂 ') };
    await ann.api.createSubscriber({ body: entered }, { headers });
    expect((await newest()).reason).toBe('Kunden ringte – «på nytt» 🙂');
  });

  test('one that the service refused, with what was wanted', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ status: 422 });
    expect(await newest()).toMatchObject({
      operation: 'createSubscriber',
      outcome: 'refused',
      code: 'invalid-input',
      subscriberId: null,
      after: entered,
    });
  });

  test('and what cannot be read, or is about nobody, is none', async () => {
    const nobody = { params: { id: 99 } };
    await expect(ann.api.deleteSubscriber(nobody)).rejects.toMatchObject({ status: 404 });
    await expect(create({ email: 'none' })).rejects.toMatchObject({ status: 422 });
    expect(await activity()).toEqual([]);
  });
});
