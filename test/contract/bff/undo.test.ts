import { describe, expect, test } from 'vitest';
import { changes, outcomes, type ChangeEntry } from '../../../src/contract/bff/journal.ts';
import { undoOf } from '../../../src/contract/bff/undo.ts';

type Told = Parameters<typeof undoOf>[0];
const done: Told = { operation: 'updateSubscriber', outcome: 'done', undoneBy: null, before: { note: '' } };
const how = (change: Partial<ChangeEntry>) => undoOf({ ...done, ...change });

describe('undoing a change', () => {
  test.each([
    ['createSubscriber', 'deleteSubscriber', ['undoChange', 'deleteSubscriber', 'createSubscriber']],
    ['updateSubscriber', 'updateSubscriber', ['undoChange', 'updateSubscriber']],
    ['deleteSubscriber', 'createSubscriber', ['undoChange', 'createSubscriber', 'deleteSubscriber']],
  ] as const)('of %s is done by %s, and needs what both need', (operation, by, needs) => {
    expect(how({ operation })).toEqual({ operation: by, needs });
  });

  test('of a regenerated token is impossible', () => {
    const sentence = 'The old token cannot be restored.';
    expect(how({ operation: 'regenerateToken' })).toEqual({ operation: null, sentence });
  });

  test.each(changes)('of %s is impossible if it was not done, or is already undone', (operation) => {
    const undos = outcomes
      .filter((outcome) => outcome !== 'done')
      .map((outcome) => how({ operation, outcome }));
    const undone = how({ operation, undoneBy: 'another' });
    expect([...undos, undone].map((undo) => undo.operation)).toEqual([null, null, null, null]);
    expect(how({ operation, outcome: 'unknown' })).toHaveProperty(
      'sentence',
      expect.stringMatching(/unclear/),
    );
    expect(undone).toHaveProperty('sentence', 'This change was already undone.');
  });

  test('of an update that changed nothing is impossible', () => {
    expect(how({ before: {} }).operation).toBeNull();
  });
});
