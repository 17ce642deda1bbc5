import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import type { Dice } from './dice.ts';
import { inventAddresses, inventUserAgents } from './devices.ts';
import { inventNote } from './notes.ts';
import { inventEmail } from './people.ts';

/** A made-up subscriber of this name. */
export function inventSubscriber(dice: Dice, username: string, now: number): SubscriberInput {
  const isTrial = dice.chance(0.17);
  const expired = dice.chance(isTrial ? 0.45 : 0.21);
  return {
    username,
    email: inventEmail(dice, username),
    expiresAt: inventExpiry(dice, { isTrial, expired, now }),
    maxConnections: dice.weighted([
      [38, 1],
      [30, 2],
      [15, 3],
      [9, 4],
      [6, 5],
      [2, dice.whole(6, 40)],
    ]),
    isTrial,
    note: dice.chance(0.62) ? '' : inventNote(dice, now),
    hls: dice.chance(0.93),
    mpegTs: dice.chance(0.78),
    bundles: dice.some(bundles, isTrial ? 1 : dice.whole(0, 6)),
    ipAddresses: dice.chance(0.7) ? [] : inventAddresses(dice),
    userAgents: dice.chance(0.75) ? [] : inventUserAgents(dice),
    countries: inventCountries(dice),
  };
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Trials end within days; most others within a year either way, and a few in the very hour or years away. */
function inventExpiry(dice: Dice, of: { isTrial: boolean; expired: boolean; now: number }): string {
  const distance = dice.weighted([
    [4, dice.whole(1, 55) * minute],
    [of.isTrial ? 96 : 0, dice.number() * 14 * day],
    [of.isTrial ? 0 : 90, Math.abs(dice.bell()) * 150 * day],
    [of.isTrial ? 0 : 6, (1 + dice.number() * 2) * 365 * day],
  ]);
  const time = of.now + (of.expired ? -distance : distance + minute);
  // To the minute, as people enter it; rounded down, which keeps what has expired expired.
  return new Date(Math.floor(time / minute) * minute).toISOString();
}

const bundles = [1, 2, 3, 4, 5, 7, 8, 10, 12, 15, 21, 30, 42, 77, 101, 250] as const;

function inventCountries(dice: Dice): string[] {
  const count = dice.weighted([
    [55, 0],
    [25, 1],
    [12, dice.whole(2, 4)],
    [8, dice.whole(5, 12)],
  ]);
  return dice.some(countries, count);
}

const countries =
  'AT BE BR CA CH CZ DE DK EG ES FI FR GB GR HR IE IN IT JP KE KR MA MX NG NL NO PL PT SE TR US ZA'.split(
    ' ',
  );
