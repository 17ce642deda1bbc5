import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/http/client.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { ActivityQuery, JournalEntry } from '../../../src/contract/bff/journal.ts';
import { makeProblem } from '../../../src/contract/http/problem-answer.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';

const record = {
  id: 7,
  accessToken: 'token',
  username: 'ann',
  email: 'ann@example.com',
  expiresAt: '2027-01-01T00:00:00.000Z',
  status: 1,
  ...createDefaults,
};

describe('the journal’s query', () => {
  test('is written by the client as the BFF reads it', () => {
    const query = {
      subscriberId: 7,
      operation: 'updateSubscriber',
      from: '2026-01-01T00:00:00.000Z',
      page: 2,
    } as const;
    const written = z.encode(ActivityQuery, query);
    expect(written).toEqual({ ...query, subscriberId: '7', page: '2' });
    expect(z.decode(ActivityQuery, written)).toEqual(query);
  });

  test('takes an instant of any zone, in UTC', () => {
    expect(z.decode(ActivityQuery, { to: '2026-01-01T01:00:00+01:00' })).toEqual({
      to: '2026-01-01T00:00:00.000Z',
    });
  });
});

test('an entry holds no more of a record than its fields', () => {
  const { id: _, ...part } = record;
  const entry = {
    kind: 'change',
    id: 'x',
    at: '2026-01-01T00:00:00.000Z',
    staff: { id: 'tab', name: 'Ann', singleSignOn: false },
    operation: 'createSubscriber',
    subscriberId: 7,
    username: 'ann',
    before: null,
    after: { ...part, secret: 'x' },
    outcome: 'done',
    code: null,
    reason: null,
    requestId: 'r',
    undoOf: null,
    undoneBy: null,
    madeAgainAs: null,
    jobId: null,
  };
  expect(JournalEntry.parse(entry)).toEqual({ ...entry, after: part });
});

describe('the obstacles of a refused change', () => {
  const refusing = (problem: object, status: number) =>
    createClient(bffApi, {
      base: 'http://bff.test',
      fetch: async () => Response.json(problem, { status }),
    }).undoChange({ params: { id: 'x' } });

  test('come with the client’s error', async () => {
    const changedBy = { name: 'Bob', singleSignOn: true, at: '2026-01-01T00:00:00.000Z' };
    const obstacles = { current: record, changedBy };
    const problem = makeProblem('changed-meanwhile', 'Detail.', 'r', undefined, obstacles);
    await expect(refusing(problem, 412)).rejects.toMatchObject({ code: 'changed-meanwhile', obstacles });
    const unknown = { ...problem, changedBy: null };
    await expect(refusing(unknown, 412)).rejects.toMatchObject({ obstacles: { changedBy: null } });
  });

  test('include the fields that changed since', async () => {
    const conflicts = [{ field: 'note', by: null, at: null }];
    const problem = makeProblem('changed-since', 'Detail.', 'r', undefined, { conflicts });
    await expect(refusing(problem, 409)).rejects.toMatchObject({
      code: 'changed-since',
      obstacles: { conflicts },
    });
  });

  test('are absent from other problems', async () => {
    await expect(refusing(makeProblem('busy', 'Detail.', 'r'), 503)).rejects.toMatchObject({ obstacles: {} });
  });
});
