import { limits } from '../../contract/service/limits.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Invents a note of support staff: mostly one line, sometimes several, now and then as much as fits. */
export function inventNote(seeded: SeededRandom, now: number): string {
  return seeded.weighted([
    [80, () => seeded.one(lines)],
    [17, () => entries(seeded, now, seeded.whole(2, 4)).join('\n')],
    [3, () => longNote(seeded, now)],
  ])();
}

const lines = [
  'Pays yearly, by bank transfer.',
  'Prefers email; does not answer the phone.',
  'Asked for a second box in the bedroom.',
  'Stream stutters in the evening: suggested a cable instead of Wi-Fi.',
  'Moved house, new address range entered.',
  'Trial extended once. Not again.',
  'Wants the sports bundle from next season on.',
  'Came back after half a year.',
  'Shares with his parents – two connections agreed.',
  'Invoice goes to the company.',
  'Token regenerated after it turned up in a forum.',
  'Reported wrong subtitles on channel 42, passed on.',
  'Upgrade to 3 connections when the contract renews.',
  'Speaks French only.',
  'Box returned, refund done.',
  'HLS off: the old television can’t play it.',
  'Called about "error 403": the app was out of date.',
  'Please check the payment before extending!',
  'Good customer since the very start 👍',
  'Travels a lot; do not lock by country.',
] as const;

function entries(seeded: SeededRandom, now: number, count: number): string[] {
  const times = Array.from({ length: count }, () => now - seeded.whole(1, 700) * 86_400_000).toSorted(
    (a, b) => a - b,
  );
  return times.map((time) => `${new Date(time).toISOString().slice(0, 10)}: ${seeded.one(lines)}`);
}

/** Whole entries up to just below the limit. */
function longNote(seeded: SeededRandom, now: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const entry of entries(seeded, now, 60)) {
    length += [...entry].length + 1;
    if (length > limits.note) break;
    kept.push(entry);
  }
  return kept.join('\n');
}
