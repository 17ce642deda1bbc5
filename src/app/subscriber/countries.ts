import { countryCodes } from '../../contract/service/countries.ts';
import { locale } from '../components/locale.ts';

const names = new Intl.DisplayNames(locale, { type: 'region' });

/** The name of a country in the page's language; the code itself where it is none. */
export function countryName(code: string): string {
  return countryCodes.has(code) ? (names.of(code) ?? code) : code;
}

export function countryNames(): string[] {
  return [...countryCodes].map(countryName).toSorted((a, b) => a.localeCompare(b, locale));
}
