import { describe, expect, it } from 'vitest';
import { changes, outcomes, type ChangeEntry, undoOf } from '../../../src/contract/bff/journal.ts';

type Change = Parameters<typeof undoOf>[0];
const done: Change = { operation: 'updateSubscriber', outcome: 'done', undoneBy: null, before: { note: '' } };
const undo = (change: Partial<ChangeEntry>) => undoOf({ ...done, ...change });

describe('the undo of a change', () => {
  it('needs the permission for the change and for its reverse', () => {
    for (const [operation, reverse, needs] of [
      ['createSubscriber', 'deleteSubscriber', ['deleteSubscriber', 'createSubscriber']],
      ['updateSubscriber', 'updateSubscriber', ['updateSubscriber']],
      ['deleteSubscriber', 'createSubscriber', ['createSubscriber', 'deleteSubscriber']],
    ] as const)
      expect(undo({ operation })).toEqual({ operation: reverse, needs: ['undoChange', ...needs] });
  });

  it('is impossible for a regenerated token and an update that changed nothing', () => {
    const sentence = 'The old token can’t be restored.';
    expect(undo({ operation: 'regenerateToken' })).toEqual({ operation: null, sentence });
    expect(undo({ before: {} }).operation).toBeNull();
  });

  it('is impossible for an expiry that nobody could read before', () => {
    const sentence = 'The old expiry was unknown, so it can’t be set again. Enter a date instead.';
    expect(undo({ before: { expiresAt: '' } })).toEqual({ operation: null, sentence });
  });

  it('is impossible for what was not done, or is already undone', () => {
    const others = outcomes.filter((outcome) => outcome !== 'done').map((outcome) => ({ outcome }));
    for (const operation of changes)
      for (const change of [...others, { undoneBy: 'another' }])
        expect(undo({ operation, ...change }).operation, operation).toBeNull();
    expect(undo({ outcome: 'unknown' })).toHaveProperty('sentence', expect.stringMatching(/unclear/));
    expect(undo({ undoneBy: 'another' })).toHaveProperty('sentence', 'This change was already undone.');
  });
});
