import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { CreateBody, createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf, required } from '../../support/contract/faults.ts';

describe('the body of a create', () => {
  it('has the default of what is left out, with lists of its own', () => {
    const one = z.decode(CreateBody, required);
    const expected = {
      ...structuredClone(createDefaults),
      ...required,
      expiresAt: '2026-12-31T22:00:00.000Z',
    };
    expect(one).toEqual(expected);
    one.bundles.push(7);
    expect(z.decode(CreateBody, required)).toEqual(expected);
  });

  it('is refused by every field that is missing or wrong, and null is not left out', () => {
    expect(faultsOf(CreateBody, { isTrial: 'yes', note: null, bundles: null, countries: ['no'] })).toEqual({
      username: ['Enter a username.'],
      email: ['Enter an email address.'],
      expiresAt: ['Enter a date and time with a time zone, such as 2026-12-31T22:00:00Z.'],
      isTrial: ['This must be true or false.'],
      note: ['Enter text, or leave it empty.'],
      bundles: ['This must be a list.'],
      'countries.0': ['Use a two-letter country code in capitals, such as NO.'],
    });
  });
});
