import { parseRange, rangeText } from './ip-range.ts';

/** The facts of a text about a connection. No list has a value twice. */
export interface Connection {
  /** Written in one way; also ranges. */
  addresses: string[];
  userAgents: string[];
  /** Two-letter codes. */
  countries: string[];
  /** `ts` is a file that both HLS and MPEG-TS can have sent. */
  formats: ('hls' | 'mpegTs' | 'ts')[];
}

/** The code of a country by its name or code; undefined if there is none. */
type CountryCode = (typed: string) => string | undefined;

/**
 * Makes a function that reads what a caller says, or lines of a log: of nginx or Apache, of headers, or JSON.
 *
 * @param countryNames all names that a text may contain
 */
export function createConnectionReader(code: CountryCode, countryNames: readonly string[]) {
  const countryWord = oneOf(countryNames);
  return (text: string): Connection => {
    const found: Connection = { addresses: [], userAgents: [], countries: [], formats: [] };
    const add: Reader['add'] = (kind, value) => {
      const list: unknown[] = found[kind];
      if (value !== undefined && !list.includes(value)) list.push(value);
    };
    const reader: Reader = { add, code, countryWord };
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
}

/** A word of these; the longest first, because "Guinea" is in "Papua New Guinea". */
function oneOf(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
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
  const takeOut = (pattern: RegExp, use: (match: RegExpExecArray) => boolean | void) => {
    for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
      if (use(match) === false) continue;
      rest = `${rest.slice(0, match.index)} | ${rest.slice(match.index + match[0].length)}`;
      pattern.lastIndex = 0;
    }
  };
  takeOut(labelledAgent, ([, value = '']) => addAgent(reader, value.replaceAll(/^"|"$/g, '')));
  // In the usual formats the user agent is the second after the request.
  let after = Number.NaN;
  takeOut(quoted, ([, value = '']) => {
    after = request.test(value) ? 0 : after + 1;
    if (after === 2) addAgent(reader, value);
    return after === 2 || readQuoted(reader, value);
  });
  for (const [, value = ''] of rest.matchAll(labelledCountry))
    reader.add('countries', reader.code(value) ?? reader.code(value.split(/\s/)[0] ?? ''));
  takeOut(/(?:\b[a-z][a-z\d+.-]*:\/\/|(?<![^\s|])\/)\S+/gi, ([url]) => addFormat(reader, url));
  takeOut(new RegExp(agent, 'g'), ([value]) => addAgent(reader, value));
  takeOut(/[^\s,;|()<>"'=]+/g, ([token]) => addAddress(reader, token));
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

/** Names of countries, codes that stand alone, and names of formats. */
function readWords(reader: Reader, text: string): void {
  const rest = text.replaceAll(reader.countryWord, (name) => {
    reader.add('countries', reader.code(name));
    return '|';
  });
  for (const piece of rest.split(/[,;|\t()]/).map((part) => part.trim()))
    if (/^[A-Z]{2}$/.test(piece)) reader.add('countries', reader.code(piece));
  addFormat(reader, rest);
}

const addAgent = (reader: Reader, value: string) => {
  const text = value.trim();
  if (text !== '' && text !== '-') reader.add('userAgents', text);
};

function addFormat(reader: Reader, text: string): void {
  if (/\.m3u8\b|\bhls\b|[?&=]m3u8\b/i.test(text)) reader.add('formats', 'hls');
  else if (/\bmpeg-?ts\b|[?&](?:output|type|format)=ts\b/i.test(text)) reader.add('formats', 'mpegTs');
  else if (/\w\.ts(?![\w-])/i.test(text)) reader.add('formats', 'ts');
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
    const range = candidate === undefined ? null : parseRange(candidate);
    if (range) return rangeText(range);
  }
  return undefined;
}
