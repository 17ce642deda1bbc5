import type { SeededRandom } from './seeded-random.ts';

/** Addresses and ranges that lead nowhere: for documentation (RFC 5737, RFC 3849) or private (RFC 1918, RFC 4193). */
export function inventAddresses(seeded: SeededRandom): string[] {
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
export function inventUserAgents(seeded: SeededRandom): string[] {
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
