import { counted, grouped } from '../../components/count.ts';
import type { Fate, Fates, Target } from './delete-run.ts';

/** What became of all of them, in a sentence: only what there is to say. */
export function tally(targets: readonly Target[], fates: Fates): string {
  const count = (state: Fate['state'] | undefined) =>
    targets.filter(({ id }) => fates.get(id)?.state === state).length;
  const deleted = count('deleted');
  const all = deleted === targets.length;
  const parts = [
    all
      ? `${counted(deleted, 'subscriber')} deleted`
      : `${grouped(deleted)} of ${counted(targets.length, 'subscriber')} deleted`,
    some(count('gone'), 'not there any more'),
    some(count('kept'), 'not deleted'),
    some(count('unknown'), 'not known'),
    some(count(undefined), 'not tried'),
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

const some = (amount: number, words: string) => amount > 0 && `${grouped(amount)} ${words}`;
