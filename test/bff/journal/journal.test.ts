import { beforeEach, describe, expect, it } from 'vitest';
import { changeHeaders, writeReason } from '../../../src/contract/http/change-headers.ts';
import { maskedToken } from '../../../src/contract/bff/access-token.ts';
import { changesIn } from '../../support/bff/entries.ts';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import { entered } from '../../support/people.ts';

let setup: TestDesk;
let ann: ReturnType<TestDesk['as']>;

beforeEach(async () => {
  setup = await createTestDesk({ staff: {}, time: runningTime() });
  ann = setup.as('manager', 'Ann');
});

const create = async (change: object = {}) =>
  (await ann.api.createSubscriber({ body: { ...entered, ...change } })).data;
const activity = async (query: object = {}) => changesIn((await ann.bff.listActivity({ query })).data.items);
const newest = async () => {
  const [entry] = await activity();
  if (!entry) throw new Error('The journal is empty.');
  return entry;
};

describe('the entry of a change', () => {
  it('has all fields of a new subscriber', async () => {
    const { id, accessToken, ...rest } = await create();
    expect(await newest()).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      at: expect.stringMatching(/^2026-01-01T00:00:\d\d\.\d{3}Z$/),
      staff: { id: 'tab', name: 'Ann', singleSignOn: false },
      kind: 'change',
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
      madeAgainAs: null,
      jobId: null,
      changedAgain: null,
    });
  });

  it('is named by the answer to the change', async () => {
    const created = await ann.api.createSubscriber({ body: entered });
    expect(created.entry).toBe((await newest()).id);
    const undone = await ann.bff.undoChange({ params: { id: String(created.entry) } });
    expect(undone.entry).toBe((await newest()).id);
    expect(await newest()).toMatchObject({ operation: 'deleteSubscriber', undoOf: created.entry });
  });

  it('has only the fields that an update changed', async () => {
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

  it('has all fields of a deleted subscriber', async () => {
    const { id, accessToken, ...rest } = await create();
    await ann.api.deleteSubscriber({ params: { id } });
    expect(await newest()).toMatchObject({
      operation: 'deleteSubscriber',
      before: { ...rest, accessToken: maskedToken(accessToken) },
      after: null,
    });
  });

  it('has both tokens, masked, after a regeneration', async () => {
    const { id, accessToken } = await create();
    const { data } = await ann.api.regenerateToken({ params: { id } });
    expect(await newest()).toMatchObject({
      operation: 'regenerateToken',
      before: { accessToken: maskedToken(accessToken) },
      after: { accessToken: maskedToken(data.accessToken) },
    });
  });

  it('has the reason that the user gave', async () => {
    const headers = { [changeHeaders.reason]: writeReason(' Kunden ringte – «på nytt» 🙂 ') };
    await ann.api.createSubscriber({ body: entered }, { headers });
    expect((await newest()).reason).toBe('Kunden ringte – «på nytt» 🙂');
  });

  it('has what was intended if the service refused the change', async () => {
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

  it('is not written for invalid input or a subscriber that does not exist', async () => {
    const missing = { params: { id: 99 } };
    await expect(ann.api.deleteSubscriber(missing)).rejects.toMatchObject({ status: 404 });
    await expect(create({ email: 'none' })).rejects.toMatchObject({ status: 422 });
    expect(await activity()).toEqual([]);
  });
});
