import { countryCodes } from '../../contract/service/countries.ts';
import { locale } from '../components/locale.ts';
import { normalize } from '../../lib/text.ts';

const names = new Intl.DisplayNames(locale, { type: 'region' });

/** The name of a country in the page's language; the code itself where it is none. */
export function countryName(code: string): string {
  return countryCodes.has(code) ? (names.of(code) ?? code) : code;
}

export function countryNames(): string[] {
  return [...countryCodes].map(countryName).toSorted((a, b) => a.localeCompare(b, locale));
}

/** Names that people say, beside those of the browser. */
const otherNames: Readonly<Record<string, string>> = {
  AE: 'UAE, Emirates',
  BA: 'Bosnia',
  CD: 'DR Congo, DRC, Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  CI: 'Ivory Coast',
  CV: 'Cabo Verde',
  CZ: 'Czech Republic',
  FK: 'Falklands',
  GB: 'UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland',
  HK: 'Hong Kong',
  KP: 'DPRK',
  KR: 'Korea, Republic of Korea',
  MK: 'Macedonia',
  MM: 'Burma',
  MO: 'Macau, Macao',
  NL: 'Holland',
  PS: 'Palestine',
  RU: 'Russian Federation',
  SZ: 'Swaziland',
  TL: 'East Timor',
  TR: 'Turkey',
  US: 'USA, United States of America, America',
  VA: 'Vatican, Holy See',
};

/** Case, accents, dots, the kind of apostrophe, hyphens, "&" for "and" and a leading "the" make no difference. */
function fold(text: string): string {
  const letters = normalize(text, 'NFD')
    .replaceAll(/[\p{M}.]/gu, '')
    .replaceAll('’', "'")
    .toLowerCase();
  const words = letters
    .replaceAll('&', ' and ')
    .replaceAll(/[\s()-]+/g, ' ')
    .trim();
  return words.replace(/^the /, '');
}

const namesOf = (code: string) => [countryName(code), ...(otherNames[code]?.split(', ') ?? [])];

/** All names of countries that people say. */
export const spokenCountries = (): string[] => [...countryCodes].flatMap(namesOf);

const codes = new Map([...countryCodes].flatMap((code) => namesOf(code).map((name) => [fold(name), code])));

/** The code that a typed code or name stands for, or undefined. */
export function countryCode(typed: string): string | undefined {
  const code = typed.trim().toUpperCase();
  return countryCodes.has(code) ? code : codes.get(fold(typed));
}

/** Fewer letters begin too many names. */
const leastLetters = 3;

/** The codes of the countries with a name that begins with a text. */
export function countriesBeginning(typed: string): string[] {
  const beginning = fold(typed);
  if (beginning.length < leastLetters) return [];
  const found = [...codes].filter(([name]) => name.startsWith(beginning));
  return [...new Set(found.map(([, code]) => code))];
}

const inOrder = countryNames().flatMap((name) => countryCode(name) ?? []);

/**
 * The codes to offer for a text, those with a better match first: the country that it stands for, names that begin with
 * it, then names with a word that begins with it. All countries for an empty text.
 */
export function countriesFor(typed: string): string[] {
  const beginning = fold(typed);
  const ranks = new Map<string, number>();
  for (const [name, code] of codes) {
    const rank = [name.startsWith(beginning), name.includes(` ${beginning}`)].indexOf(true);
    if (rank !== -1) ranks.set(code, Math.min(rank, ranks.get(code) ?? rank));
  }
  const exact = countryCode(typed);
  if (exact) ranks.set(exact, -1);
  const rankOf = (code: string) => ranks.get(code) ?? Infinity;
  return inOrder.filter((code) => ranks.has(code)).toSorted((a, b) => rankOf(a) - rankOf(b));
}
