import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { CreateBody, SubscriberInput, UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf, required } from '../../support/contract/faults.ts';

const unknownField = 'There is no field with this name. Check its spelling, or remove it.';

describe('the body of a create', () => {
  test('fills in what is left out', () => {
    expect(z.decode(CreateBody, required)).toEqual({
      ...required,
      expiresAt: '2026-12-31T22:00:00.000Z',
      maxConnections: 1,
      isTrial: false,
      note: '',
      hls: true,
      mpegTs: true,
      bundles: [],
      ipAddresses: [],
      userAgents: [],
      countries: [],
    });
  });

  test('shares no default list between two bodies', () => {
    const [one, other] = [z.decode(CreateBody, required), z.decode(CreateBody, required)];
    one.bundles.push(7);
    expect(other.bundles).toEqual([]);
    expect(z.decode(CreateBody, required).bundles).toEqual([]);
  });

  test('keeps what is given', () => {
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
    expect(z.decode(CreateBody, given)).toEqual(given);
    expect(z.decode(SubscriberInput, given)).toEqual(given);
  });

  test('names every field that is missing or wrong at once', () => {
    expect(faultsOf(CreateBody, { isTrial: 'yes', countries: ['no'] })).toEqual({
      username: ['Enter a username.'],
      email: ['Enter an email address.'],
      expiresAt: ['Enter a date and time with a time zone, such as 2026-12-31T22:00:00Z.'],
      isTrial: ['This must be true or false.'],
      'countries.0': ['Use a two-letter country code in capitals, such as NO.'],
    });
  });

  test('does not take null for "left out"', () => {
    expect(faultsOf(CreateBody, { ...required, note: null, bundles: null })).toEqual({
      note: ['Enter text, or leave it empty.'],
      bundles: ['This must be a list.'],
    });
  });
});

describe('the body of an update', () => {
  test('may leave out any field, and gets no default for it', () => {
    expect(z.decode(UpdateBody, {})).toEqual({});
    expect(z.decode(UpdateBody, { note: 'x' })).toEqual({ note: 'x' });
  });

  test.each(['username', 'email', 'expiresAt', 'maxConnections'])('does not empty %s by null', (name) => {
    expect(Object.keys(faultsOf(UpdateBody, { [name]: null }))).toEqual([name]);
  });
});

describe.each([
  ['create', CreateBody, required],
  ['update', UpdateBody, {}],
] as const)('an unknown field in the body of a %s', (_, schema, body) => {
  test.each([
    'id',
    'accessToken',
    'status',
    'userName',
    'Username',
    'maxconnections',
    'constructor',
    'toString',
    '',
  ])('%j is refused by its name', (name) => {
    expect(faultsOf(schema, { ...body, [name]: 1 })).toEqual({ [name || 'body']: [unknownField] });
  });

  test('__proto__ is refused by its name and changes no prototype', () => {
    const hostile: typeof required = JSON.parse(
      `{"__proto__": {"isTrial": true}, ${JSON.stringify(body).slice(1)}`.replace(', }', '}'),
    );
    const read = z.safeDecode(schema, hostile);
    expect(read.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['__proto__'] }]);
    expect(Object.prototype).not.toHaveProperty('isTrial');
  });
});

test.each([null, [], 'text', 7, true, undefined])(
  'a body that is %j instead of an object is refused',
  (body) => {
    expect(Object.keys(faultsOf(CreateBody, body))).toEqual(['body']);
    expect(Object.keys(faultsOf(UpdateBody, body))).toEqual(['body']);
  },
);
