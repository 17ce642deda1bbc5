import { expect, test } from 'vitest';
import {
  countriesBeginning,
  countriesFor,
  countryCode,
  countryName,
  countryNames,
} from '../../../src/app/subscriber/countries.ts';
import { countryCodes } from '../../../src/contract/service/countries.ts';

test.each([
  ['NO', 'NO'],
  ['no', 'NO'],
  [' Norway ', 'NO'],
  ['SWEDEN', 'SE'],
  ['united kingdom', 'GB'],
  ['Côte d’Ivoire', 'CI'],
  ["cote d'ivoire", 'CI'],
  ['Ivory Coast', 'CI'],
  ['UK', 'GB'],
  ['U.K.', 'GB'],
  ['England', 'GB'],
  ['USA', 'US'],
  ['the United States', 'US'],
  ['Turkey', 'TR'],
  ['Türkiye', 'TR'],
  ['Turkiye', 'TR'],
  ['Czech Republic', 'CZ'],
  ['Holland', 'NL'],
  ['south korea', 'KR'],
  ['Russia', 'RU'],
  ['Bosnia & Herzegovina', 'BA'],
  ['Bosnia and Herzegovina', 'BA'],
  ['hong kong', 'HK'],
  ['Curacao', 'CW'],
])('the text "%s" is the country %s', (typed, code) => {
  expect(countryCode(typed)).toBe(code);
});

test.each(['', 'XX', 'Norw', 'Atlantis', 'EU', 'Congo'])('the text "%s" is not a country', (typed) => {
  expect(countryCode(typed)).toBeUndefined();
});

test('every country is found by the name it is shown with', () => {
  for (const code of countryCodes) expect(countryCode(countryName(code))).toBe(code);
});

test('a code that is not a country is shown as it is', () => {
  expect(countryName('XX')).toBe('XX');
  expect(countryName('nonsense')).toBe('nonsense');
});

test('every country is suggested once, in alphabetical order', () => {
  const names = countryNames();
  expect(new Set(names).size).toBe(countryCodes.size);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
});

test.each([
  ['Norw', ['NO']],
  ['Swe', ['SE']],
  ['united k', ['GB']],
  ['Engl', ['GB']],
  ['Congo', ['CD', 'CG']],
  ['Austr', ['AT', 'AU']],
  ['zz', []],
  ['No', []],
  ['rway', []],
  ['', []],
])('the text “%s” begins the names of %j', (typed, codes) => {
  expect(countriesBeginning(typed).toSorted()).toEqual(codes);
});

test.each([
  ['UK', ['GB', 'UA']],
  ['norw', ['NO']],
  ['korea', ['KR', 'KP']],
  ['zz', []],
])('the text “%s” gets the likeliest countries first: %j', (typed, codes) => {
  expect(countriesFor(typed)).toEqual(codes);
});

test('an empty text gets all countries in alphabetical order', () => {
  expect(countriesFor('').map(countryName)).toEqual(countryNames());
});
