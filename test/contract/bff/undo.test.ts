import { describe, expect, test } from 'vitest';
import { changes, outcomes, type JournalEntry } from '../../../src/contract/bff/journal.ts';
import { undoOf } from '../../../src/contract/bff/undo.ts';

type Told = Parameters<typeof undoOf>[0];
const done: Told = { operation: 'updateSubscriber', outcome: 'done', undoneBy: null, before: { note: '' } };
const how = (change: Partial<JournalEntry>) => undoOf({ ...done, ...change });

describe('how a change goes back', () => {
  test.each([
    ['createSubscriber', 'deleteSubscriber', 'is deleted'],
    ['updateSubscriber', 'updateSubscriber', 'fields go back'],
    ['deleteSubscriber', 'createSubscriber', 'with a new id and a new access token'],
    ['regenerateToken', null, 'cannot come back'],
  ] as const)('%s by %s: %s', (operation, by, words) => {
    expect(how({ operation })).toEqual({ operation: by, sentence: expect.stringContaining(words) });
  });

  test.each(changes)('%s not at all where it was not done, or was undone already', (operation) => {
    const sentences = outcomes
      .filter((outcome) => outcome !== 'done')
      .map((outcome) => how({ operation, outcome }));
    const undone = how({ operation, undoneBy: 'another' });
    expect([...sentences, undone].map((undo) => undo.operation)).toEqual([null, null, null, null]);
    expect(how({ operation, outcome: 'unknown' }).sentence).toMatch(/not known/);
    expect(undone.sentence).toMatch(/already/);
  });

  test('an update that changed nothing has nothing to undo', () => {
    expect(how({ before: {} }).operation).toBeNull();
  });
});
