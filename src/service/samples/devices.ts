import type { Dice } from './dice.ts';

/** Addresses and ranges that lead nowhere: for documentation (RFC 5737, RFC 3849) or private (RFC 1918, RFC 4193). */
export function inventAddresses(dice: Dice): string[] {
  const kinds = [
    () => `192.0.2.${dice.whole(1, 254)}`,
    () => `198.51.100.${dice.whole(1, 254)}`,
    () => `203.0.113.${dice.whole(1, 254)}`,
    () => `10.${dice.whole(0, 255)}.${dice.whole(0, 255)}.${dice.whole(1, 254)}`,
    () => `192.168.${dice.whole(0, 255)}.0/24`,
    () => `172.${dice.whole(16, 31)}.0.0/16`,
    () => `203.0.113.${dice.whole(0, 15) * 16}/28`,
    () => `2001:db8:${hex(dice)}::${hex(dice)}`,
    () => `2001:db8:${hex(dice)}::/48`,
    () => `fd${hex(dice, 0x10, 0xff)}:${hex(dice)}:${hex(dice)}::${hex(dice)}`,
  ] as const;
  const count = dice.weighted([
    [60, 1],
    [30, 2],
    [10, dice.whole(3, 8)],
  ]);
  return [...new Set(Array.from({ length: count }, () => dice.one(kinds)()))];
}

const hex = (dice: Dice, least = 1, most = 0xffff) => dice.whole(least, most).toString(16);

/** What set-top boxes, players and televisions of no real person call themselves. */
export function inventUserAgents(dice: Dice): string[] {
  const version = () => `${dice.whole(1, 9)}.${dice.whole(0, 20)}.${dice.whole(0, 9)}`;
  const agents = [
    `VLC/3.0.${dice.whole(8, 21)} LibVLC/3.0.${dice.whole(8, 21)}`,
    `ExoPlayerLib/2.${dice.whole(11, 19)}.1 (Linux; Android ${dice.whole(9, 15)})`,
    `HearthTV/${version()} (Tizen ${dice.whole(4, 8)}.0)`,
    `HearthTV/${version()} (webOS ${dice.whole(4, 9)}.2; UHD)`,
    `Mozilla/5.0 (SMART-TV; Linux; Tizen ${dice.whole(4, 8)}.0) AppleWebKit/537.36 (KHTML, like Gecko) TV Safari/537.36`,
    `Mozilla/5.0 (Linux; Android ${dice.whole(10, 15)}; Box X${dice.whole(2, 9)}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/12${dice.whole(0, 9)}.0.0.0 Safari/537.36`,
    `AppleCoreMedia/1.0.0.2${dice.whole(0, 2)}J${dice.whole(100, 999)} (Apple TV; U; CPU OS ${dice.whole(15, 18)}_${dice.whole(0, 6)} like Mac OS X)`,
    `Kodi/${dice.whole(19, 21)}.${dice.whole(0, 5)} (Linux; Android ${dice.whole(9, 13)}) App_Bitness/64`,
    `okhttp/4.${dice.whole(9, 12)}.0`,
    `StreamBox/${version()} (firmware ${dice.whole(100, 999)})`,
  ];
  return dice.some(agents, dice.whole(1, 3));
}
