import { createDefaults, type SubscriberInput } from '../../contract/service/subscriber-input.ts';
import type { SeededRandom } from './seeded-random.ts';
import { limits } from '../../contract/service/limits.ts';
import { searchText } from '../../contract/service/search-text.ts';

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

/** Addresses and ranges that lead nowhere: for documentation (RFC 5737, RFC 3849) or private (RFC 1918, RFC 4193). */
function inventAddresses(seeded: SeededRandom): string[] {
  const kinds = [
    () => `192.0.2.${seeded.whole(1, 254)}`,
    () => `198.51.100.${seeded.whole(1, 254)}`,
    () => `203.0.113.${seeded.whole(1, 254)}`,
    () => `10.${seeded.whole(0, 255)}.${seeded.whole(0, 255)}.${seeded.whole(1, 254)}`,
    () => `192.168.${seeded.whole(0, 255)}.0/24`,
    () => `172.${seeded.whole(16, 31)}.0.0/16`,
    () => `203.0.113.${seeded.whole(0, 15) * 16}/28`,
    () => `2001:db8:${hex(seeded)}::${hex(seeded)}`,
    () => `2001:db8:${hex(seeded)}::/48`,
    () => `fd${hex(seeded, 0x10, 0xff)}:${hex(seeded)}:${hex(seeded)}::${hex(seeded)}`,
  ] as const;
  const count = seeded.weighted([
    [60, 1],
    [30, 2],
    [10, seeded.whole(3, 8)],
  ]);
  return [...new Set(Array.from({ length: count }, () => seeded.one(kinds)()))];
}

const hex = (seeded: SeededRandom, least = 1, most = 0xffff) => seeded.whole(least, most).toString(16);

/** Invents user agents of set-top boxes, players and televisions of no real person. */
function inventUserAgents(seeded: SeededRandom): string[] {
  const version = () => `${seeded.whole(1, 9)}.${seeded.whole(0, 20)}.${seeded.whole(0, 9)}`;
  const agents = [
    `VLC/3.0.${seeded.whole(8, 21)} LibVLC/3.0.${seeded.whole(8, 21)}`,
    `ExoPlayerLib/2.${seeded.whole(11, 19)}.1 (Linux; Android ${seeded.whole(9, 15)})`,
    `HearthTV/${version()} (Tizen ${seeded.whole(4, 8)}.0)`,
    `HearthTV/${version()} (webOS ${seeded.whole(4, 9)}.2; UHD)`,
    `Mozilla/5.0 (SMART-TV; Linux; Tizen ${seeded.whole(4, 8)}.0) AppleWebKit/537.36 (KHTML, like Gecko) TV Safari/537.36`,
    `Mozilla/5.0 (Linux; Android ${seeded.whole(10, 15)}; Box X${seeded.whole(2, 9)}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/12${seeded.whole(0, 9)}.0.0.0 Safari/537.36`,
    `AppleCoreMedia/1.0.0.2${seeded.whole(0, 2)}J${seeded.whole(100, 999)} (Apple TV; U; CPU OS ${seeded.whole(15, 18)}_${seeded.whole(0, 6)} like Mac OS X)`,
    `Kodi/${seeded.whole(19, 21)}.${seeded.whole(0, 5)} (Linux; Android ${seeded.whole(9, 13)}) App_Bitness/64`,
    `okhttp/4.${seeded.whole(9, 12)}.0`,
    `StreamBox/${version()} (firmware ${seeded.whole(100, 999)})`,
  ];
  return seeded.some(agents, seeded.whole(1, 3));
}

/** Invents a note of support staff: mostly one line, sometimes several, now and then as much as fits. */
function inventNote(seeded: SeededRandom, now: number): string {
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

const givenNames = (
  'Anaïs Anders Aino Amara Bruno Chiara Chidi Dmitri Eiji Elena Emre Farid Freya Gabriel Giulia ' +
  'Hana Hassan Ines Ivo Jana João Kenji Klára Lars Leila Lucía Magnus Mei Mikael Nadia Ngozi Noor ' +
  'Olga Ørjan Pavel Priya Rafael Renée Rosa Samir Sara Søren Tariq Thandi Tomasz Ursula Viktor ' +
  'Wanjiru Yusuf Zoë'
).split(' ');

const familyNames = (
  'Al-Amin Andersson Åsen Bauer Bianchi Castro Costa Demir Dubois Eriksen Fernández Ferrari García ' +
  'Haddad Hansen Horvat Ivanova Jansen Kaya Kimura Kovács Kowalski Laurent Lindqvist Mbeki Meyer ' +
  'Moreau Müller Mwangi Nakamura Nguyen Novák O’Brien Okafor Okonkwo Olsen Papadakis Patel Petrov ' +
  'Rahman Rossi Sánchez Sato Schmidt Silva Singh Sørensen Tanaka Virtanen Yılmaz'
).split(' ');

/** Names that show whether a page can do more than ASCII. */
const otherScripts = (
  'Ørjan.Åsen 中村.葵 Ольга-К Γιώργος_Π أمين.حداد 김서연 अनिका.शर्मा Zoë_Brontë ŁukaszŻ นภา.ส דנה.לוי ' +
  'Nguyễn.Thảo'
).split(' ');

/** So many usernames, no two the same without regard to case. */
export function inventUsernames(seeded: SeededRandom, count: number): string[] {
  const taken = new Set<string>();
  const names: string[] = [];
  while (names.length < count) {
    const name = names.length % 50 === 13 ? seeded.one(otherScripts) : inventLatin(seeded);
    // The range grows with the number of people, so that a free number is found soon.
    const free = taken.has(searchText(name)) ? `${name}${seeded.whole(2, 90 + names.length)}` : name;
    const before = taken.size;
    if (taken.add(searchText(free)).size > before) names.push(free);
  }
  return names;
}

function inventLatin(seeded: SeededRandom): string {
  const given = plain(seeded.one(givenNames));
  const family = plain(seeded.one(familyNames));
  return seeded.weighted([
    [50, `${given.charAt(0)}.${family}`],
    [15, `${given.charAt(0)}_${family}`],
    [15, `${given}.${family}`],
    [12, `${given}${seeded.whole(1, 99)}`],
    [8, `${family}-${seeded.whole(1970, 2008)}`],
  ]);
}

/** An ASCII address at one of the domains that RFC 2606 keeps for examples. */
function inventEmail(seeded: SeededRandom, username: string): string {
  const ascii = plain(username).replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  const mailbox = ascii === '' ? `viewer${seeded.whole(100, 99_999)}` : ascii;
  return `${mailbox}@example.${seeded.one(['com', 'net', 'org'])}`;
}

/** Without accents, in lower case, ASCII only: "Ørjan" → "orjan". */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9._-]/g, '')
    .replaceAll(/[._-]{2,}/g, '.');
}
