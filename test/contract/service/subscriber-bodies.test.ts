import * as z from 'zod/mini';
import { describe, expect, it, test } from 'vitest';
import { CreateBody, SubscriberInput, UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf, required } from '../../support/contract/faults.ts';

const defaults = {
  maxConnections: 1,
  isTrial: false,
  note: '',
  hls: true,
  mpegTs: true,
  bundles: [],
  ipAddresses: [],
  userAgents: [],
  countries: [],
};

describe('the body of a create', () => {
  it('has the default of what is left out, with lists of its own', () => {
    const one = z.decode(CreateBody, required);
    const expected = { ...required, expiresAt: '2026-12-31T22:00:00.000Z', ...defaults };
    expect(one).toEqual(expected);
    one.bundles.push(7);
    expect(z.decode(CreateBody, required)).toEqual(expected);
  });

  it('has what is given, in every field', () => {
    const given = {
      username: 'kari',
      email: 'kari@example.com',
      expiresAt: '2026-12-31T22:00:00.000Z',
      maxConnections: 3,
      isTrial: true,
      note: 'VIP',
      hls: false,
      mpegTs: false,
      bundles: [1],
      ipAddresses: ['192.0.2.1'],
      userAgents: ['VLC'],
      countries: ['NO'],
    };
    for (const schema of [CreateBody, SubscriberInput, UpdateBody]) {
      expect(z.decode(schema, given)).toEqual(given);
      expect(Object.keys(schema.shape)).toEqual(Object.keys(given));
    }
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

test('the body of an update may leave out any field, and gets no default for it', () => {
  expect(z.decode(UpdateBody, {})).toEqual({});
  expect(z.decode(UpdateBody, { note: 'x' })).toEqual({ note: 'x' });
  for (const name of ['username', 'email', 'expiresAt', 'maxConnections'])
    expect(Object.keys(faultsOf(UpdateBody, { [name]: null }))).toEqual([name]);
});

describe.each([
  ['create', CreateBody, required],
  ['update', UpdateBody, {}],
] as const)('the body of any %s', (_, schema, body) => {
  it('is refused if it is no object', () => {
    for (const other of [null, [], 'text', 7, true, undefined])
      expect(Object.keys(faultsOf(schema, other))).toEqual(['body']);
  });

  it('is refused by the names of unknown fields', () => {
    const sentence = 'There is no field with this name. Check its spelling, or remove it.';
    const notOfBodies = ['id', 'accessToken', 'status'];
    const misspelt = ['userName', 'Username', 'maxconnections', 'constructor', 'toString', ''];
    for (const name of [...notOfBodies, ...misspelt])
      expect(faultsOf(schema, { ...body, [name]: 1 })).toEqual({ [name || 'body']: [sentence] });
  });

  it('is refused with the name __proto__, which changes no prototype', () => {
    const hostile = Object.assign(JSON.parse('{"__proto__": {"isTrial": true}}') as typeof required, body);
    const read = z.safeDecode(schema, hostile);
    expect(read.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['__proto__'] }]);
    expect(Object.prototype).not.toHaveProperty('isTrial');
  });
});
