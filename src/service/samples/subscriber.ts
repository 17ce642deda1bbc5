import { createDefaults, type SubscriberInput } from '../../contract/service/subscriber-input.ts';
import type { SeededRandom } from './seeded-random.ts';
import { inventAddresses, inventUserAgents } from './devices.ts';
import { inventNote } from './notes.ts';
import { inventEmail } from './people.ts';

/** A made-up subscriber of this name. */
export function inventSubscriber(seeded: SeededRandom, username: string, now: number): SubscriberInput {
  const isTrial = seeded.chance(0.17);
  const expired = seeded.chance(isTrial ? 0.45 : 0.21);
  return {
    ...createDefaults,
    username,
    email: inventEmail(seeded, username),
    expiresAt: inventExpiry(seeded, { isTrial, expired, now }),
    maxConnections: seeded.weighted([
      [38, 1],
      [30, 2],
      [15, 3],
      [9, 4],
      [6, 5],
      [2, seeded.whole(6, 40)],
    ]),
    isTrial,
    note: seeded.chance(0.62) ? '' : inventNote(seeded, now),
    hls: seeded.chance(0.93),
    mpegTs: seeded.chance(0.78),
    bundles: unique(seeded.some(bundles, isTrial ? 1 : seeded.whole(0, 6))),
    ipAddresses: seeded.chance(0.7) ? [] : inventAddresses(seeded),
    userAgents: seeded.chance(0.75) ? [] : inventUserAgents(seeded),
    countries: inventCountries(seeded),
  };
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Trials end within days; most others within a year either way, and a few in the very hour or years away. */
function inventExpiry(seeded: SeededRandom, of: { isTrial: boolean; expired: boolean; now: number }): string {
  const distance = seeded.weighted([
    [4, seeded.whole(1, 55) * minute],
    [of.isTrial ? 96 : 0, seeded.number() * 14 * day],
    [of.isTrial ? 0 : 90, Math.abs(seeded.bell()) * 150 * day],
    [of.isTrial ? 0 : 6, (1 + seeded.number() * 2) * 365 * day],
  ]);
  const time = of.now + (of.expired ? -distance : distance + minute);
  // To the minute, as people enter it; rounded down, which keeps what has expired expired.
  return new Date(Math.floor(time / minute) * minute).toISOString();
}

/** Repeated as often as they are popular. */
const bundles = [1, 1, 2, 3, 3, 4, 4, 5, 7, 8, 10, 12, 15, 21, 30, 250] as const;

function inventCountries(seeded: SeededRandom): string[] {
  const count = seeded.weighted([
    [55, 0],
    [25, 1],
    [12, seeded.whole(2, 4)],
    [8, seeded.whole(5, 12)],
  ]);
  return unique(seeded.some(countries, count));
}

const countries =
  'NO NO NO NO NO SE SE SE SE DK DK DK FI FI DE DE GB GB NL PL ES FR IT GR TR US CA IN MA EG KR MX'.split(
    ' ',
  );

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];
