import { expect, test } from 'vitest';
import { JournalEntry } from '../../../src/contract/bff/journal.ts';

test('an entry has no more of a record than its fields', () => {
  const entry = {
    kind: 'change',
    id: 'x',
    at: '2026-01-01T00:00:00.000Z',
    staff: { id: 'tab', name: 'Ann', singleSignOn: false },
    operation: 'createSubscriber',
    subscriberId: 7,
    username: 'ann',
    before: null,
    after: { note: 'Called.', secret: 'x' },
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
  expect(JournalEntry.parse(entry)).toEqual({ ...entry, after: { note: 'Called.' } });
});
