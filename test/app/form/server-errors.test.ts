import { expect, test } from 'vitest';
import { sortErrors } from '../../../src/app/form/save-failure.ts';

test('an error goes to its field, and one about an element to the field of its list', () => {
  expect(
    sortErrors({ username: ['This username is taken.'], 'bundles.2': ['A bundle is a whole number.'] }),
  ).toEqual({
    fields: { username: 'This username is taken.', bundles: 'A bundle is a whole number.' },
    rest: [],
  });
});

test('the first of several sentences for a field is shown', () => {
  const { fields } = sortErrors({ 'countries.0': ['first', 'second'], 'countries.3': ['third'] });
  expect(fields).toEqual({ countries: 'first' });
});

test('errors that belong to no field go to the summary', () => {
  const errors = {
    body: ['The body is not JSON.'],
    status: ['There is no field with this name.'],
    toString: ['Odd.'],
  };
  expect(sortErrors(errors)).toEqual({
    fields: {},
    rest: ['The body is not JSON.', 'There is no field with this name.', 'Odd.'],
  });
});

test('an error without a sentence gets a general one', () => {
  expect(sortErrors({ note: [] }).fields).toEqual({ note: 'This value can’t be used.' });
});
