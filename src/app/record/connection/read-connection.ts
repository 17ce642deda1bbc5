import { readIpRange, areNested, rangeOf, type IpRange } from '../../../contract/service/ip-range.ts';

/** Details of a text about a connection. No list has a value twice. */
export interface Connection {
  /** Written in one way; also ranges. */
  addresses: string[];
  userAgents: string[];
  /** Names of apps and devices as callers say them, such as "VLC" or "Samsung TV". */
  apps: string[];
  /** Two-letter codes. */
  countries: string[];
  /** Places whose country isn’t known. */
  places: string[];
  /** `ts` is a file that both HLS and MPEG-TS can have sent. */
  formats: ('hls' | 'mpegTs' | 'ts')[];
}

/** The code of a country by its name or code; undefined if there is none. */
type CountryCode = (typed: string) => string | undefined;

/** Apps and devices, by what both callers and user agents call them. */
const knownApps: Readonly<Record<string, RegExp>> = {
  'Samsung TV': /samsung|tizen/i,
  'LG TV': /\blg\b|web[o0]s/i,
  'Apple TV': /apple ?tv|applecoremedia/i,
  'Fire TV': /fire ?(?:tv|stick)|\baft/i,
  'Android TV': /android ?tv/i,
  Chromecast: /chromecast|crkey/i,
  VLC: /\bvlc\b/i,
  Kodi: /\bkodi\b/i,
  TiviMate: /tivi ?mate/i,
  'IPTV Smarters': /smarters/i,
  'OTT Navigator': /ott ?navigator/i,
  'Perfect Player': /perfect ?player/i,
};

/** A pattern that finds an app in a user agent. */
export const appPattern = (name: string): RegExp => knownApps[name] ?? oneOf([name], 'iu');

/** "VLC" of "VLC/3.0"; the whole of an entry without versions. */
const appsIn = (entry: string) => entry.match(/[A-Za-z][\w.+-]*(?=\/)/g) ?? [entry];

/**
 * Makes a function that reads what a caller says, or lines of a log: of nginx or Apache, of headers, or JSON.
 *
 * @param countryNames all names that a text may contain
 * @param townCode the code of the country of a town
 * @param ownAgents the user agents of the subscriber, whose names are known too
 */
export function createConnectionReader(
  code: CountryCode,
  countryNames: readonly string[],
  townCode: CountryCode = () => undefined,
  ownAgents: readonly string[] = [],
) {
  const countryWord = oneOf(countryNames);
  const apps = new Set([...Object.keys(knownApps), ...ownAgents.flatMap(appsIn)]);
  return (text: string): Connection => {
    const found: Connection = {
      addresses: [],
      userAgents: [],
      apps: [],
      countries: [],
      places: [],
      formats: [],
    };
    const add: Reader['add'] = (kind, value) => {
      const list: unknown[] = found[kind];
      if (value !== undefined && !list.includes(value)) list.push(value);
    };
    const reader: Reader = { add, code, countryWord, townCode, apps };
    const whole = parseJson(text);
    if (whole !== undefined) readJson(reader, '', whole);
    else for (const line of text.split(/[\r\n]+/)) readLine(reader, line);
    return found;
  };
}

interface Reader {
  add: <K extends keyof Connection>(kind: K, value: Connection[K][number] | undefined) => void;
  code: CountryCode;
  countryWord: RegExp;
  townCode: CountryCode;
  apps: ReadonlySet<string>;
}

/** A word of these; the longest first, because "Guinea" is in "Papua New Guinea". */
function oneOf(names: readonly string[], flags = 'giu'): RegExp {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}.])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, flags);
}

function readLine(reader: Reader, line: string): void {
  const json = parseJson(line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1));
  if (json !== undefined) readJson(reader, '', json);
  else readText(reader, line);
}

/** An object or a list; a number alone is no JSON of a log. */
function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param name of the field that has this value, without its punctuation */
function readJson(reader: Reader, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const one of value) readJson(reader, name, one);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value))
      readJson(reader, key.toLowerCase().replaceAll(/[^a-z]/g, ''), one);
  else if (typeof value === 'string') readField(reader, name, value);
}

function readField(reader: Reader, name: string, value: string): void {
  if (/^(http)?(user)?agent$|^ua$/.test(name)) addAgent(reader, value);
  else if (/country|^geo$/.test(name)) reader.add('countries', reader.code(value));
  else if (/^(log|message|msg|line)$/.test(name)) readLine(reader, value);
  else if (/format|protocol/.test(name)) addFormat(reader, value);
  else if (/uri|url|path|request|referer|query/.test(name)) addFormat(reader, value);
  else if (
    !/server|upstream|local|dest|dst|host/.test(name) &&
    /addr|ip|client|remote|forward|peer/.test(name)
  )
    for (const part of value.split(',')) addAddress(reader, part);
}

const quoted = /"((?:[^"\\]|\\.)*)"/g;
const request = /^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/;
const link = /^(?:[a-z][a-z\d+.-]*:\/\/|\/)\S*$/i;
const labelledAgent =
  /\b(?:user[-_ ]?agent|ua)["']?\s*[:=]\s*("(?:[^"\\]|\\.)*"|(?!["\s])(?:\([^)]*\)|[^,;|(\t])+)/gi;
const labelledCountry = /(?:country|geo)(?:[_ ]?code)?["']?\s*[:=]?\s*["']?(\p{L}[\p{L} .'’-]*)/giu;
const product = '[A-Za-z][\\w.+-]*\\/v?\\d[\\w.+-]*(?![\\w/])';
const comment = '\\([^()]*\\)';
/** "VLC/3.0.18 LibVLC/3.0.18", "Mozilla/5.0 (…) … TV Safari/537.36". */
const agent = new RegExp(
  `(?<![\\w/])(?!HTTP/)${product}(?:\\s+${comment}|\\s+(?:[A-Za-z]+\\s+)?${product})*`,
);

/** Takes out what is clear first, so that a version such as 120.0.0.0 is not read as an address. */
function readText(reader: Reader, line: string): void {
  let rest = line;
  const takeOut = (pattern: RegExp, use: (whole: string, value: string) => boolean | void) => {
    rest = rest.replaceAll(pattern, (whole: string, value: string) =>
      use(whole, value) === false ? whole : ' | ',
    );
  };
  takeOut(labelledAgent, (_, value) => addAgent(reader, value.replaceAll(/^"|"$/g, '')));
  // In the usual formats the user agent is the second after the request.
  let after = Number.NaN;
  takeOut(quoted, (_, value) => {
    after = request.test(value) ? 0 : after + 1;
    if (after === 2) addAgent(reader, value);
    return after === 2 || readQuoted(reader, value);
  });
  for (const [, value = ''] of rest.matchAll(labelledCountry))
    reader.add('countries', reader.code(value) ?? reader.code(value.split(/\s/)[0] ?? ''));
  takeOut(/(?:\b[a-z][a-z\d+.-]*:\/\/|(?<![^\s|])\/)\S+/gi, (url) => addFormat(reader, url));
  takeOut(new RegExp(agent, 'g'), (value) => addAgent(reader, value));
  takeOut(/[^\s,;|()<>"'=]+/g, (token) => addAddress(reader, token));
  readWords(reader, rest);
}

/** @returns false for a text that is read on without its quotes */
function readQuoted(reader: Reader, value: string): boolean {
  const addresses = value.split(',').map((part) => parseToken(part));
  if (value === '' || value === '-') return true;
  if (request.test(value) || link.test(value)) addFormat(reader, value);
  else if (addresses.every((address) => address !== undefined))
    for (const address of addresses) reader.add('addresses', address);
  else if (/^[A-Z]{2}$/.test(value) && reader.code(value)) reader.add('countries', reader.code(value));
  else if (agent.test(value)) addAgent(reader, value);
  else return false;
  return true;
}

/** Names of countries, codes that stand alone, and names of apps, formats and places. */
function readWords(reader: Reader, text: string): void {
  let rest = text.replaceAll(reader.countryWord, (name) => {
    reader.add('countries', reader.code(name));
    return '|';
  });
  for (const app of reader.apps)
    rest = rest.replace(appPattern(app), () => {
      reader.add('apps', app);
      // No separator, lest the "TV" of "Samsung TV" be a code that stands alone.
      return '·';
    });
  for (const [, place = ''] of rest.matchAll(placeWords)) readPlace(reader, place);
  for (const piece of rest.split(/[,;|\t()]/).map((part) => part.trim()))
    if (/^[A-Z]{2}$/.test(piece)) reader.add('countries', reader.code(piece));
  addFormat(reader, rest);
}

/** Up to three words after "in" or "from", unless the first of them names no place. */
const placeWords =
  /\b(?:in|from)\s+(?!(?:the|an?|my|our|his|her|their|your|this|that|all|any|bed|home|here|there|time|case|hls)\b)(\p{L}[\p{L}'’-]+(?:\s+\p{L}[\p{L}'’-]*){0,2})/giu;

function readPlace(reader: Reader, words: string): void {
  const parts = words.split(/\s+/);
  const beginnings = [3, 2, 1].map((count) => parts.slice(0, count).join(' '));
  const country = beginnings.map(reader.townCode).find((code) => code !== undefined);
  if (country === undefined) reader.add('places', parts[0]);
  else reader.add('countries', country);
}

const addAgent = (reader: Reader, value: string) => {
  const text = value.trim();
  if (text !== '' && text !== '-') reader.add('userAgents', text);
};

function addFormat(reader: Reader, text: string): void {
  if (/\bm3u8\b|\bhls\b/i.test(text)) reader.add('formats', 'hls');
  else if (/\bmpeg(?:-?ts)?\b|[?&](?:output|type|format)=ts\b/i.test(text)) reader.add('formats', 'mpegTs');
  else if (/(?:\w|\s|^)\.ts(?![\w-])/i.test(text)) reader.add('formats', 'ts');
}

/** @returns false if it is no address */
function addAddress(reader: Reader, token: string): boolean {
  const address = parseToken(token);
  reader.add('addresses', address);
  return address !== undefined;
}

/** An address or a range, also in brackets, with a port, a zone or a label such as "ip:", or before a full stop. */
function parseToken(token: string): string | undefined {
  const text = token
    .trim()
    .replace(/[.,]+$/, '')
    .replace(/(?<!:):$/, '');
  const candidates = [
    text,
    text.replace(/%[\w.-]+/, ''),
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1],
    /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1],
    /^[a-z_-]*[g-z_-][a-z_-]*:(.+)$/i.exec(text)?.[1],
  ];
  for (const candidate of candidates) {
    const range = candidate === undefined ? null : readIpRange(candidate);
    if (range) return rangeText(range);
  }
  return undefined;
}

/** "192.0.2.7", "192.0.2.0/24", "2001:db8::1". */
export function rangeText({ bits, first, prefix }: IpRange): string {
  const [size, count, base] = bits === 32 ? [8n, 4, 10] : [16n, 8, 16];
  const parts = Array.from({ length: count }, (_, index) =>
    BigInt.asUintN(Number(size), first >> (size * BigInt(count - 1 - index))).toString(base),
  );
  const address =
    bits === 32
      ? parts.join('.')
      : (URL.parse(`http://[${parts.join(':')}]`)?.hostname ?? '').replaceAll(/[[\]]/g, '');
  return prefix === bits ? address : `${address}/${prefix}`;
}

/** True if all addresses of the second are in the first. */
export const contains = (outer: IpRange, inner: IpRange): boolean =>
  outer.prefix <= inner.prefix && areNested(outer, inner);

export const isAddress = ({ bits, prefix }: IpRange): boolean => prefix === bits;

/** The addresses that one household or one provider's router usually has: /24, or /64 for IPv6. */
export const neighbourhoodOf = ({ bits, first }: IpRange): IpRange =>
  rangeOf({ bits, first, prefix: bits === 32 ? 24 : 64 });

/** Addresses inside a home or a machine, which no server sees: RFC 1918, 3927, 4193, 4291, 5735, 6598. */
const inside = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
].flatMap((text) => readIpRange(text) ?? []);

export const isInside = (range: IpRange): boolean => inside.some((local) => contains(local, range));
