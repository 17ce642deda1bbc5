import * as z from 'zod/mini';
import { describe, expect, it, test } from 'vitest';
import { createClient } from '../../../src/contract/http/client.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { ActivityQuery, JournalEntry } from '../../../src/contract/bff/journal.ts';
import { problemAnswer, toResponse } from '../../../src/contract/http/answer.ts';
import type { ProblemCode } from '../../../src/contract/http/problem-codes.ts';
import { Problem, type Obstacles } from '../../../src/contract/http/problem.ts';
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
  it('is written by the client as the BFF reads it', () => {
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

  it('takes a time of any zone, in UTC', () => {
    expect(z.decode(ActivityQuery, { to: '2026-01-01T01:00:00+01:00' })).toEqual({
      to: '2026-01-01T00:00:00.000Z',
    });
  });
});

test('an entry has no more of a record than its fields', () => {
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
    changedAgain: null,
  };
  expect(JournalEntry.parse(entry)).toEqual({ ...entry, after: part });
});

test('the obstacles of a refused change come with the client’s error, and only where there are some', async () => {
  const changedBy = { name: 'Bob', singleSignOn: true, at: '2026-01-01T00:00:00.000Z' };
  const refused: [ProblemCode, Obstacles][] = [
    ['changed-meanwhile', { current: record, changedBy }],
    ['changed-meanwhile', { current: record, changedBy: null }],
    ['changed-since', { conflicts: [{ field: 'note', by: null, at: null }] }],
    ['busy', {}],
  ];
  for (const [code, obstacles] of refused) {
    const problem = new Problem(code, 'Detail.', { obstacles });
    const client = createClient(bffApi, {
      base: 'http://bff.test',
      fetch: async () => toResponse(problemAnswer(problem, 'r')),
    });
    await expect(client.undoChange({ params: { id: 'x' } })).rejects.toMatchObject({ code, obstacles });
  }
});
